import type * as z from 'zod';
import { Refusal } from './refusal.ts';

/** The value as the schema reads it, or a 400 that names every member at fault. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  throw new Refusal(400, 'invalid-parameter', `${faults.join('; ')}.`);
}
