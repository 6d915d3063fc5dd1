import type * as z from 'zod/mini';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import type { OptionalField } from './field-types.ts';

/** Scope names a token can carry (section 5). */
export const scopes = [
  'screens:read',
  'coupons:write',
  'coupons:read',
  'users:read',
  'links:write',
  'campaign_requests:read',
] as const;

/** What an access may do, such as `coupons:write` (section 5). */
export type Scope = (typeof scopes)[number];

/**
 * The token endpoint (sections 2.8, 4.1 and 5). It is the only request without a bearer token, so
 * users do not run it as an operation. Limit: 10 requests per minute per IP.
 */
export const tokenEndpointWithoutSchemas = {
  section: '4.1',
  method: 'POST',
  path: '/oauth/token',
  successStatus: 200,
  /** Lifetime of a token, in seconds, when the response does not state it. */
  lifetimeSeconds: 3600,
  requestsPerMinute: 10,
} as const;

/** A kind of record, named for lists and documents. */
export interface Resource {
  /** In camel case, as the names of its operations begin. */
  readonly name: string;
  /** Short label for one of them, in Title Case. */
  readonly title: string;
  /** The label for several of them. */
  readonly plural: string;
  /** One sentence. */
  readonly description: string;
}

/** The resource with these titles, such as "Landing Link" and "Landing Links". */
export function defineResource(title: string, plural: string, description: string): Resource {
  const name = title.charAt(0).toLowerCase() + title.slice(1).replaceAll(' ', '');
  return { name, title, plural, description };
}

/**
 * What the body of the response holds: one `record`, a list that always arrives as a `page` with a
 * pagination object, or a `list` whose shape the contract leaves open.
 */
export type ResponseShape = 'record' | 'page' | 'list';

/** The position of a page in its list (section 2.3). */
export interface Pagination {
  /** What the `cursor` of the next page takes. */
  cursor?: string | null | undefined;
  /** Whether more records follow. */
  has_more?: boolean | null | undefined;
  /** How many records match in total. */
  total_count?: number | null | undefined;
}

/** One page of a list. A list without pagination is one page with `has_more: false`. */
export interface Page<Item> {
  /** The records of the page. */
  data: Item[];
  /** Its position in the list. */
  pagination: Pagination;
}

/**
 * What to do after a lost response, when the request may or may not have been applied:
 * - `resend`: sending it again is harmless, so the client does. Every GET has it.
 * - `none`: the outcome stays unknown, and the error says so.
 * - a policy: the request may be sent again, and the policy finds out what became of it.
 */
export type Recovery = 'resend' | 'none' | RecoveryPolicy;

/** Finds out what became of a request whose response was lost. */
export interface RecoveryPolicy {
  /** Whether the only way to find out what happened is to send the same request again. */
  readonly probeByResending?: (input: Fields) => boolean;
  /** Returns the record once it is certain that the request was applied; otherwise throws. */
  readonly resolveLost: (ended: RecoveryContext) => Promise<FoundRecord>;
  /** Does the same for a refusal when no response was lost. Without it, the refusal is thrown. */
  readonly resolveConflict?: (ended: RecoveryContext) => Promise<FoundRecord>;
}

/** A call that ended without a record. */
export interface RecoveryContext {
  /** What was called. */
  readonly operation: Endpoint;
  /** What it was called with. */
  readonly input: Fields;
  /** How its last attempt failed. */
  readonly error: ScreenAdvertisingError;
  /** An existing record counts as success when it is the one the caller wants. */
  readonly adoptExisting: boolean;
  /** Runs another operation, such as one that reads the record back. */
  readonly call: (operation: Operation, input: Fields) => Promise<FoundRecord>;
}

/** A record that was read back, with its response. */
export interface FoundRecord {
  /** The record. */
  readonly data: unknown;
  /** HTTP status, such as 200. */
  readonly status: number;
  /** Headers of the response, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a request and a compound operation have in common. */
interface Action<Input extends z.ZodMiniType, Output extends z.ZodMiniType> {
  /** Short label in Title Case, as shown to people. */
  readonly title: string;
  /** The token needs any one of these. */
  readonly scopes: readonly Scope[];
  /** Strict: unknown fields are refused before anything is sent. */
  readonly input: Input;
  /** What one record looks like, for documentation and types: responses are read tolerantly. */
  readonly output: Output;
}

/** A user-facing action: one operation, or several combined. */
export interface CatalogueEntry<
  Name extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> extends Action<Input, Output> {
  /** `resource.action`, unique. */
  readonly name: Name;
  /** One sentence: what it does and what it returns. */
  readonly description: string;
  /** The kind of record that it is about. */
  readonly resource: Resource;
  /** One such record, with nothing that the contract does not show. */
  readonly sample: Fields;
}

/** The input of a catalogue entry. */
export type InputOf<Op extends CatalogueEntry> = z.input<Op['input']>;

/** What a client needs to send a request and read its response. */
export interface Endpoint<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Kind extends ResponseShape = ResponseShape,
> extends Action<Input, Output> {
  /** Names the operation in errors and hooks. Default: its title. */
  readonly name?: string;
  /** HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL; `{placeholders}` are input fields. */
  readonly path: string;
  /** `none` for a change whose path says everything. Default: JSON of the input. */
  readonly body?: 'none';
  /** What the body of the response holds. */
  readonly responseShape: Kind;
  /**
   * The response body is not shown. If it is empty, the input is all that is known of the record.
   */
  readonly allowsEmptyResponse?: true;
  /** String fields every record must have; used to reject responses from another server. */
  readonly requiredFields?: readonly string[];
  /** What to do after a lost response. */
  readonly recovery: Recovery;
}

/** One operation of the partner interface: everything a client, a form or a document needs. */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Kind extends ResponseShape = ResponseShape,
> extends CatalogueEntry<Name, Input, Output>,
    Endpoint<Input, Output, Kind> {
  /** `resource.action`, unique. */
  readonly name: Name;
  /** Section of the partner interface specification. */
  readonly section: string;
  /** HTTP method. */
  readonly method: 'GET' | 'POST';
  /** HTTP status of a success. */
  readonly successStatus: 200 | 201;
  /** The input field with the caller's own name for the record: creating it again finds it. */
  readonly callerKey?: string;
  /** The field of its record that people scan, as a QR code. */
  readonly scannedField?: 'url' | 'code';
  /** The largest page the service returns, for a list whose input has a `limit`. */
  readonly largestPage?: number;
}

/** An operation with the interfaces of what it takes and of its records. */
export type DescribedOperation<
  Name extends string,
  Params,
  Record,
  Kind extends ResponseShape,
> = Operation<Name, z.ZodMiniType<Params, Params>, z.ZodMiniType<Record>, Kind>;

/** A compound operation with the interfaces of what it takes and of its records. */
export type DescribedCompoundOperation<Name extends string, Params, Record> = CatalogueEntry<
  Name,
  z.ZodMiniType<Params, Params>,
  z.ZodMiniType<Record>
>;

/** The named fields, for comparison: schemas of records allow others, which no interface lists. */
type Named<Value> = Value extends object
  ? { [Name in keyof Value as string extends Name ? never : Name]: Named<Value[Name]> }
  : Value;

type IsSame<A, B> =
  (<Value>() => Value extends Named<A> ? 1 : 2) extends <Value>() => Value extends Named<B> ? 1 : 2
    ? true
    : false;

/**
 * Names each entry whose interfaces, which developers see, are not exactly its schemas. As the
 * argument of `None`, the compiler shows the names.
 */
export type SchemaDifferences<
  Declared extends Readonly<Record<string, CatalogueEntry>>,
  Actual extends Readonly<Record<keyof Declared, CatalogueEntry>>,
> =
  | {
      [Name in keyof Declared & string]:
        | (IsSame<InputOf<Declared[Name]>, InputOf<Actual[Name]>> extends true
            ? never
            : `the input of ${Name}`)
        | (IsSame<z.output<Declared[Name]['output']>, z.output<Actual[Name]['output']>> extends true
            ? never
            : `the record of ${Name}`);
    }[keyof Declared & string]
  | `the interfaces of ${Exclude<keyof Actual, keyof Declared> & string}`;

/** Nothing, or an error of the compiler. */
export type NoDifferences<Difference extends never> = readonly Difference[];

/** The names of optional fields that do not say what leaving them out does. */
type Unsaid<Input> =
  Input extends z.ZodMiniObject<infer Shape>
    ? {
        [Name in keyof Shape]: Shape[Name] extends z.ZodMiniOptional
          ? Shape[Name] extends OptionalField
            ? never
            : Name
          : never;
      }[keyof Shape]
    : never;

/** The compiler refuses an input whose optional fields do not say what leaving them out does. */
type Said<Input> = [Unsaid<Input>] extends [never]
  ? unknown
  : { readonly input: `${string & Unsaid<Input>}: use optional(…), which asks what it widens` };

/** Makes an entry of several operations, with its literal types. */
export function defineCompoundOperation<
  const Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
>(
  definition: CatalogueEntry<Name, Input, Output> & Said<Input>,
): CatalogueEntry<Name, Input, Output> {
  return definition;
}

/** A catalogue entry as it is written: only a change says how to recover, and it must. */
type Definition<
  Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
  Kind extends ResponseShape,
> = Omit<Operation<Name, Input, Output, Kind>, 'method' | 'body' | 'recovery'> &
  (
    | { readonly method: 'GET' }
    | (Pick<Operation, 'body'> & {
        readonly method: 'POST';
        readonly recovery: Exclude<Recovery, 'resend'>;
      })
  );

/** Makes a catalogue entry, with its literal types. */
export function defineOperation<
  const Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
  const Kind extends ResponseShape,
>(
  definition: Definition<Name, Input, Output, Kind> & Said<Input>,
): Operation<Name, Input, Output, Kind> {
  return { recovery: 'resend', ...definition };
}
