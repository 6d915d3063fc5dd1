import type { Operation, OperationName, operations } from '@screen-advertising/core';
import { formFields } from '@screen-advertising/core/forms';
import type * as z from 'zod/mini';
import type { PartnerAccess } from '../access/access.ts';
import { type HttpExchange, readJsonObject } from '../http/exchange.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import type { SandboxContext } from '../state/context.ts';

/** An authenticated request with validated input. */
export interface RouteCall<Input> {
  readonly context: SandboxContext;
  readonly access: PartnerAccess;
  readonly input: Input;
  /** The request's origin, such as `http://127.0.0.1:8787`. Links to the sandbox start with it. */
  readonly origin: string;
}

/** The function that carries out each operation. Its input has the type of the catalogue. */
export type Routes = {
  readonly [Name in OperationName]: (
    call: RouteCall<z.output<(typeof operations)[Name]['input']>>,
  ) => Response;
};

/** Facts about a route that do not follow from its catalogue entry, for documents. */
export interface RouteNotes {
  /** Why it may respond with these statuses. */
  readonly problems?: Readonly<Record<number, string>>;
  /** Whether its record is always under `data`. */
  readonly isUnderData?: true;
}

/** A single record, bare or under `data`, depending on the variant. */
export function recordResponse(
  { variants }: SandboxContext,
  status: number,
  record: object,
): Response {
  const body = variants.singleRecord === 'data' ? { data: record } : record;
  return Response.json(body, { status });
}

type RawInput = Record<string, unknown>;
type InputReader = (exchange: HttpExchange, pathParameters: Record<string, string>) => RawInput;

/** Collects an operation's raw input from the path, query and body. */
export function inputReader(operation: Operation): InputReader {
  const fields = formFields(operation);
  const query = fields.filter((field) => field.in === 'query');
  const inBody = fields.filter((field) => field.in === 'body').map(({ name }) => name);
  const namedByCaller = fields.length === 0 && operation.method === 'POST';

  return (exchange, pathParameters) => {
    const input: RawInput = { ...pathParameters };
    for (const { name, type } of query) {
      const value = readParameter(exchange.url.searchParams, name);
      if (value !== undefined) input[name] = type === 'integer' ? integer(value) : value;
    }
    // The service sets this field itself, whatever a request says (section 2.6).
    if (namedByCaller) return { ...readJsonObject(exchange), utm_medium: 'partner_api' };
    if (inBody.length > 0) Object.assign(input, pick(readJsonObject(exchange), inBody));
    return input;
  };
}

function readParameter(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) {
    throw new ProblemResponseError('invalid-parameter', `${name} was sent ${values.length} times.`);
  }
  return values[0];
}

/** Text that is not an integer stays text, so that validation rejects it. */
function integer(text: string): unknown {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** Members that the contract does not name are ignored. */
function pick(body: RawInput, names: readonly string[]): RawInput {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

/** Parses the input with the catalogue's schema. The error names every invalid field. */
export function checkInput(
  { variants }: SandboxContext,
  { input: schema }: Pick<Operation, 'input'>,
  input: unknown,
): unknown {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')} ${message}` : message,
  );
  throw invalidParameter(variants, `${faults.join('; ')}.`);
}

export function invalidParameter(
  variants: SandboxContext['variants'],
  detail: string,
): ProblemResponseError {
  return new ProblemResponseError('invalid-parameter', detail, {
    status: Number(variants.invalidParameter),
  });
}

interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** One page of items that are sorted by position (section 2.3). */
export function pageOfItems<Item extends { position: number }>(
  { variants }: SandboxContext,
  matching: readonly Item[],
  { cursor, limit }: PageRequest,
) {
  const after = cursor === undefined ? 0 : readCursor(cursor);
  if (after === undefined) {
    throw invalidParameter(variants, 'cursor is not from a page of this list.');
  }
  const rest = matching.filter(({ position }) => position > after);
  const items = rest.slice(0, limit);
  const hasMore = rest.length > items.length;
  const position = items.at(-1)?.position ?? after;
  return {
    items,
    pagination: {
      ...(hasMore
        ? { cursor: writeCursor(position) }
        : lastCursor(variants.lastCursor, cursor ?? writeCursor(position))),
      has_more: hasMore,
      total_count: matching.length,
    },
  };
}

function lastCursor(
  variant: SandboxContext['variants']['lastCursor'],
  repeated: string,
): { cursor?: string | null } {
  if (variant === 'absent') return {};
  if (variant === 'empty') return { cursor: '' };
  return { cursor: variant === 'repeated' ? repeated : null };
}

/**
 * A cursor continues a list after the item with this position. A position belongs to one item
 * forever, so pages stay consistent while items are added and removed. Users see an opaque text.
 */
function writeCursor(position: number): string {
  return Buffer.from(`after:${position}`).toString('base64url');
}

/** Undefined for a text that is not a cursor of a page. */
function readCursor(cursor: string): number | undefined {
  const position = /^after:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  return position === undefined ? undefined : Number(position);
}
