import type * as z from 'zod/mini';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';

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

/** A kind of record, in the words of lists and documents. */
export interface Resource {
  /** In camel case, as the names of its operations begin. */
  readonly name: string;
  /** Short label in Title Case for one of them. */
  readonly title: string;
  readonly plural: string;
  /** One sentence. */
  readonly description: string;
}

/** The resource with this title, such as "Landing Link". */
export function resourceOf(title: string, description: string): Resource {
  const name = title.charAt(0).toLowerCase() + title.slice(1).replace(' ', '');
  return { name, title, plural: `${title}s`, description };
}

/**
 * What the answer's body holds: one `record`, a list that always comes as a
 * `page` with a pagination object, or a `list` whose shape the contract leaves open.
 */
export type AnswerShape = 'record' | 'page' | 'list';

/**
 * How a lost answer is repaired, that is when a request may or may not have been applied:
 * - `repeat`: sending it again does no harm, so that is done.
 * - `none`: nobody can tell, so the error says so.
 * - a policy, for what may be sent again: it finds out what became of the request.
 */
export type Repair = 'repeat' | 'none' | RepairPolicy;

export interface RepairPolicy {
  /** Whether only the same request, sent once more, can ask what happened. */
  readonly isAskedBySending?: (input: Fields) => boolean;
  /** Gives the record when it is settled that the request was applied; else throws. */
  readonly settle: (ended: EndedCall) => Promise<unknown>;
  /** The same for a refusal after which no answer is missing. Without it the refusal is thrown. */
  readonly settleRefusal?: (ended: EndedCall) => Promise<unknown>;
}

/** A call that ended without a record. */
export interface EndedCall {
  readonly operation: Endpoint;
  readonly input: Fields;
  /** How its last try failed. */
  readonly error: ScreenAdvertisingError;
  /** What is there already counts as success when it is what the caller wants. */
  readonly adoptExisting: boolean;
  /** Runs another operation, such as one that reads the record back. */
  readonly call: (operation: Operation, input: Fields) => Promise<unknown>;
}

type Fields = Readonly<Record<string, unknown>>;

/** What people can be offered to run, in the words of its forms: an operation, or several of them in one. */
export interface Task<
  Name extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> {
  /** `resource.action`, unique. */
  readonly name: Name;
  /** Short label in Title Case, as shown to people. */
  readonly title: string;
  /** One sentence: what it does, and what comes back. */
  readonly description: string;
  readonly resource: Resource;
  /** The token needs any one of these. */
  readonly scopes: readonly Scope[];
  /** Strict: unknown fields are refused before anything is sent. */
  readonly input: Input;
  /** What one record looks like; documentation and types only, answers are read tolerantly. */
  readonly output: Output;
  /** One such record, with nothing that the contract does not show. */
  readonly sample: Fields;
}

/** What a client needs to know to send a request and to read its response. */
export interface Endpoint<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Answer extends AnswerShape = AnswerShape,
> extends Pick<Task<string, Input, Output>, 'title' | 'scopes' | 'input' | 'output'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL; `{placeholders}` are input fields. */
  readonly path: string;
  /** False for a change whose path says all: it has no body. */
  readonly hasBody?: false;
  readonly answer: Answer;
  /** The body of the answer is not shown: with an empty one the input is what is known of the record. */
  readonly mayAnswerEmpty?: true;
  /** Texts that every record has: without them something else responded. */
  readonly marks?: readonly string[];
  readonly repair: Repair;
}

/** One operation of the partner interface: all that a client, a form or a document needs to know. */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Answer extends AnswerShape = AnswerShape,
> extends Task<Name, Input, Output>,
    Endpoint<Input, Output, Answer> {
  /** Section of the partner interface specification. */
  readonly section: string;
  readonly method: 'GET' | 'POST';
  readonly successStatus: 200 | 201;
  /** The input field in which the caller may name the record: creating it again under that name finds it. */
  readonly callerKey?: string;
  /** Largest page the service gives, for a list whose input has a `limit`. */
  readonly largestPage?: number;
}

/** Keeps the literal types of a task. */
export function task<
  const Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
>(definition: Task<Name, Input, Output>): Task<Name, Input, Output> {
  return definition;
}

/** Keeps the literal types of a catalogue entry. */
export function operation<
  const Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
  const Answer extends AnswerShape,
>(definition: Operation<Name, Input, Output, Answer>): Operation<Name, Input, Output, Answer> {
  return definition;
}
