import type { Operation } from '@screen-advertising/core';
import { formFields } from '@screen-advertising/core/forms';
import type { SandboxContext } from '../context.ts';
import { type Exchange, readJsonObject } from '../http/exchange.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';

type RawInput = Record<string, unknown>;
type InputReader = (exchange: Exchange, pathParameters: Record<string, string>) => RawInput;

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
    // Of fields that callers name, the service sets this one, whatever a request says (section 2.6).
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
