import * as z from 'zod';
import { check } from '../http/check.ts';

const milliseconds = z.number().min(0).max(600_000);
const headers = z
  .record(z.string(), z.string())
  .refine(canBeSent, 'must be valid HTTP header names and values');
const contentType = z
  .string()
  .refine((value) => canBeSent({ 'content-type': value }), 'must be a valid HTTP header value');
/** Whether the call reaches the service before the fault strikes, and so may have changed something. */
const when = z.enum(['before', 'after']).default('before');

const actions = [
  z.strictObject({
    fault: z.literal('status'),
    status: z.int().min(200).max(599),
    when,
    detail: z.string().optional(),
    /** A 429 without them, and without a body of its own, tells to wait 60 seconds. */
    headers: headers.optional(),
    /** Sent as it is in place of a problem document. */
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
  /** Any method unless told. */
  method: z.string().optional(),
  /** Below the base URL; `*` stands for one segment, `**` for any rest. Any path unless told. */
  path: z.string().startsWith('/', 'must start with /, such as /coupons').optional(),
  /** How many calls it strikes; all of them unless told. */
  times: z.int().min(1).optional(),
  /** How many matching calls it lets pass first. */
  skip: z.int().min(0).optional(),
  /** Chance that it strikes, 0 to 1, drawn from the sandbox's seed. */
  probability: z.number().min(0).max(1).optional(),
});

export type FaultAction = z.output<typeof action>;
export type FaultMatch = z.output<typeof match>;
/** Which calls a fault strikes, and what it does to them. */
export type FaultRule = FaultMatch & z.input<typeof action>;

/** Throws a 400 that names the member at fault. */
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
