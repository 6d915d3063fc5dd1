import * as z from 'zod';
import { readBytes } from '../http/read-bytes.ts';
import { Refusal } from '../http/refusal.ts';

const longestBody = 64 * 1024;

/** The value as the schema reads it, or a 400 that names every member at fault. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  throw new Refusal(400, 'invalid-parameter', `${faults.slice(0, 10).join('; ')}.`);
}

/** The JSON body of a request; an empty one is an empty object. */
export async function readBody<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
): Promise<z.output<Schema>> {
  const text = Buffer.from(await readBytes(request, longestBody)).toString();
  try {
    return check(schema, text === '' ? {} : JSON.parse(text));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, 'malformed-body', 'The body is not valid JSON.');
  }
}

/** A moment in ISO 8601, as milliseconds since 1970. */
const moment = z.iso
  .datetime({ offset: true, error: 'use a timestamp such as 2027-03-01T09:00:00Z' })
  .transform((text) => Date.parse(text));

const pages = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
};

export const eventQuery = z.object({
  ...pages,
  type: z.string().optional(),
  from: moment.optional(),
  to: moment.optional(),
});

export const deliveryQuery = z.object({
  ...pages,
  state: z.enum(['pending', 'delivered', 'dead']).optional(),
  subscription_id: z.string().optional(),
  event_id: z.string().optional(),
});

export const subscriptionQuery = z.object(pages);

export const subscribeBody = z.strictObject({
  target_url: z.string().max(2048),
  events: z.array(z.string().min(1).max(200)).min(1).max(50),
  name: z.string().min(1).max(200).optional(),
});

export const replaySubscriptionBody = z.strictObject({
  from: moment.optional(),
  to: moment.optional(),
  state: z.enum(['pending', 'delivered', 'dead']).optional(),
});

export const replayEventBody = z.strictObject({ subscription_id: z.string().optional() });
