import * as z from 'zod';
import { check } from '../problems/problem-response-error.ts';

const milliseconds = z.number().min(0).max(600_000);
const headers = z
  .record(z.string(), z.string())
  .refine(canBeSent, 'must be valid HTTP header names and values');
const contentType = z
  .string()
  .refine((value) => canBeSent({ 'content-type': value }), 'must be a valid HTTP header value');
/**
 * Whether the fault strikes before or after the service handles the request. After it, the request
 * may have changed something.
 */
const when = z.enum(['before', 'after']).default('before');

const actions = [
  z.strictObject({
    fault: z.literal('status'),
    status: z.int().min(200).max(599),
    when,
    detail: z.string().optional(),
    /** Default for a 429 without `body`: a Retry-After of 60 seconds. */
    headers: headers.optional(),
    /** Sent as is, instead of a problem document. */
    body: z.string().optional(),
    contentType: contentType.optional(),
  }),
  z.strictObject({ fault: z.literal('latency'), ms: milliseconds }),
  z.strictObject({ fault: z.literal('reset'), when }),
  z.strictObject({ fault: z.literal('truncated-body') }),
  z.strictObject({ fault: z.literal('malformed-json') }),
  z.strictObject({ fault: z.literal('slow-body'), ms: milliseconds }),
  z.strictObject({ fault: z.literal('html-body') }),
  z.strictObject({ fault: z.literal('empty-body') }),
  z.strictObject({ fault: z.literal('content-type'), contentType }),
] as const;

const kinds = actions.map(({ shape }) => shape.fault.value);
const action = z.discriminatedUnion('fault', actions, `must be one of ${kinds.join(', ')}`);

const match = z.object({
  /** Default: any method. */
  method: z.string().optional(),
  /** Below the base URL. `*` is one segment, `**` at the end any rest. Default: any path. */
  path: z
    .string()
    .startsWith('/', { error: 'must start with /, such as /coupons', abort: true })
    .regex(/^(\/(\*|[^*/]*))*(\/\*\*)?$/, 'takes * for a whole segment, and ** only at the end')
    .optional(),
  /** How many requests it affects. Default: all. */
  times: z.int().min(1).optional(),
  /** How many matching requests to skip first. */
  skip: z.int().min(0).optional(),
  /** Probability from 0 to 1, drawn from the sandbox's seed. */
  probability: z.number().min(0).max(1).optional(),
});

export type FaultAction = z.output<typeof action>;
export type FaultMatch = z.output<typeof match>;
/** Which requests a fault affects, and how. */
export type FaultRule = FaultMatch & z.input<typeof action>;

/** Throws a 400 that names the invalid member. */
export function readFaultRule(rule: unknown): FaultMatch & FaultAction {
  const matched = check(match.loose(), rule);
  const { method: _, path: _p, times: _t, skip: _s, probability: _c, ...rest } = matched;
  return { ...matched, ...check(action, rest) };
}

function canBeSent(values: Record<string, string>): boolean {
  try {
    return Boolean(new Headers(values));
  } catch {
    return false;
  }
}
