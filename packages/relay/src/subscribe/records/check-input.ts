import * as z from 'zod';
import type { ZodMiniObject } from 'zod/mini';
import { RelayError } from '../../relay-error.ts';

/** Parses the value with the schema. Throws a RelayError that names every invalid member. */
export function check<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return `${issue.keys.slice(0, 10).join(', ')}: unknown field, leave it out`;
    }
    return issue.path.length > 0
      ? `${issue.path.join('.')} ${issue.message}`
      : 'the body must be a JSON object';
  });
  throw new RelayError('invalid_parameter', `${faults.slice(0, 10).join('; ')}.`, {
    member: result.error.issues[0]?.path.join('.'),
  });
}

/** Reads a text as the number that the schema takes there. Any other text stays, to be refused. */
export function numbersIn(
  schema: ZodMiniObject,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const isNumber = typeof property === 'object' && property.type === 'integer';
      return [name, isNumber && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text];
    }),
  );
}

/** Milliseconds since 1970 of a timestamp that was checked. */
export function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
