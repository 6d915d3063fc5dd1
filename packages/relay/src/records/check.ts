import type * as z from 'zod';
import { RelayError } from '../relay-error.ts';

/** Parses the value with the schema. Throws a RelayError that names every invalid member. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return `${issue.keys.slice(0, 10).join(', ')}: unknown field, leave it out`;
    }
    return issue.path.length > 0
      ? `${issue.path.join('.')}: ${issue.message}`
      : 'the body: use a JSON object';
  });
  throw new RelayError('invalid_parameter', `${faults.slice(0, 10).join('; ')}.`, {
    member: result.error.issues[0]?.path.join('.'),
  });
}
