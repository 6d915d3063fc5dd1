import type * as z from 'zod';
import { ProblemResponseError } from './problem-response-error.ts';

/** A snapshot can have thousands. */
const shown = 10;

/** Parses the value with the schema. Throws a 400 that names every invalid member. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  const more = faults.length > shown ? `; and ${faults.length - shown} more` : '';
  const detail = `${faults.slice(0, shown).join('; ')}${more}.`;
  throw new ProblemResponseError('invalid-parameter', detail);
}
