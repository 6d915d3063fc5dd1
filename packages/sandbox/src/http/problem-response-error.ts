import { type ProblemOptions, ProblemResponse } from '@screen-advertising/server-kit';
import type * as z from 'zod';

const kinds = {
  'invalid-parameter': [400, 'Invalid parameter'],
  'malformed-body': [400, 'Malformed body'],
  'discount-too-large': [400, 'Discount too large'],
  'coupon-not-active': [400, 'Coupon not active'],
  unauthorized: [401, 'Not authenticated'],
  'refused-credentials': [401, 'Credentials refused'],
  'missing-scope': [403, 'Missing scope'],
  forbidden: [403, 'Forbidden'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'code-taken': [409, 'Coupon code taken'],
  'lead-has-coupon': [409, 'Lead has an active coupon'],
  'upload-aborted': [408, 'Upload aborted'],
  conflict: [409, 'Conflict'],
  'body-too-large': [413, 'Body too large'],
  'unsupported-content-type': [415, 'Unsupported content type'],
  'rate-limited': [429, 'Too many requests'],
  'internal-error': [500, 'Internal error'],
  'not-saved': [503, 'Not saved'],
  fault: [500, 'Sandbox fault'],
} as const;

type ProblemKind = keyof typeof kinds;

/** A rejected request, with the problem document that says why (section 7). */
export class ProblemResponseError extends ProblemResponse<ProblemKind> {
  constructor(kind: ProblemKind, detail: string, options?: ProblemOptions) {
    super([kinds, 'urn:screen-advertising:problem:'], kind, detail, options);
  }
}

/** A snapshot can have thousands. */
const shown = 10;

/** Parses the value with the schema. Throws a 400 that names every invalid member. */
export function parseWithSchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  const more = faults.length > shown ? `; and ${faults.length - shown} more` : '';
  const detail = `${faults.slice(0, shown).join('; ')}${more}.`;
  throw new ProblemResponseError('invalid-parameter', detail);
}
