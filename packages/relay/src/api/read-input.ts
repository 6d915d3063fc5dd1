import type * as z from 'zod';
import { ProblemResponseError } from '../http/problems.ts';
import { readBytes } from '../http/read-bytes.ts';
import { check } from '../records/input-schemas.ts';

const longestBody = 64 * 1024;

/** The parameters of a URL. Each may be given once. */
export function readQuery<Schema extends z.ZodType>(schema: Schema, url: string): z.output<Schema> {
  const parameters = [...new URL(url).searchParams];
  const names = parameters.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new ProblemResponseError(400, 'invalid-parameter', `${twice}: send it only once.`);
  }
  return check(schema, Object.fromEntries(parameters));
}

/** The JSON body of a request; an empty one is an empty object. */
export async function readBody<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
): Promise<z.output<Schema>> {
  const text = Buffer.from(await readBytes(request, longestBody)).toString();
  let value: unknown = {};
  try {
    if (text !== '') value = JSON.parse(text);
  } catch {
    throw new ProblemResponseError(400, 'malformed-body', 'The body is not valid JSON.');
  }
  return check(schema, value);
}
