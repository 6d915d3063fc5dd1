import * as z from 'zod';
import { parseWithSchema } from '../http/problem-response-error.ts';
import type { SeededRandom } from '../state/random.ts';

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
type FaultMatch = z.output<typeof match>;
/** Which requests a fault affects, and how. */
export type FaultRule = FaultMatch & z.input<typeof action>;

/** Throws a 400 that names the invalid member. */
function readFaultRule(rule: unknown): FaultMatch & FaultAction {
  const matched = parseWithSchema(match.loose(), rule);
  const { method: _, path: _p, times: _t, skip: _s, probability: _c, ...rest } = matched;
  return { ...matched, ...parseWithSchema(action, rest) };
}

function canBeSent(values: Record<string, string>): boolean {
  try {
    return Boolean(new Headers(values));
  } catch {
    return false;
  }
}

/** An active rule, and how often it was triggered. */
export type ActiveFault = FaultMatch & FaultAction & { readonly id: string; triggered: number };

interface Entry {
  readonly fault: ActiveFault;
  matched: number;
}

/** The active fault rules, in the order they were added. */
export class FaultList {
  readonly #random: SeededRandom;
  #entries: Entry[] = [];
  #lastNumber = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  add(rule: FaultRule): ActiveFault {
    const checked = readFaultRule(rule);
    this.#lastNumber += 1;
    const fault = { ...checked, id: `flt_${this.#lastNumber}`, triggered: 0 };
    this.#entries.push({ fault, matched: 0 });
    return { ...fault };
  }

  list(): ActiveFault[] {
    return this.#entries.map(({ fault }) => ({ ...fault }));
  }

  /** False if there is no such rule. */
  remove(id: string): boolean {
    const rest = this.#entries.filter(({ fault }) => fault.id !== id);
    const found = rest.length < this.#entries.length;
    this.#entries = rest;
    return found;
  }

  clear(): void {
    this.#entries = [];
  }

  /**
   * The faults for this request: all matching latencies, and at most one of another kind, so that
   * rules take turns in the order they were added. `path` is relative to the base URL.
   */
  trigger(method: string, path: string): FaultAction[] {
    const triggered: FaultAction[] = [];
    for (const entry of this.#entries) {
      const { method: only, path: pattern = '/**' } = entry.fault;
      if (only !== undefined && only.toUpperCase() !== method) continue;
      if (!matches(pattern, path) || !this.#isTriggered(entry)) continue;
      triggered.push(entry.fault);
      if (entry.fault.fault !== 'latency') break;
    }
    return triggered;
  }

  #isTriggered(entry: Entry): boolean {
    const { fault } = entry;
    entry.matched += 1;
    if (entry.matched <= (fault.skip ?? 0)) return false;
    if (fault.times !== undefined && fault.triggered >= fault.times) return false;
    if (fault.probability !== undefined && !this.#random.chance(fault.probability)) return false;
    fault.triggered += 1;
    return true;
  }
}

/**
 * A segment of the pattern can be `*` or, as in the catalogue, a parameter such as {code}; `**` at
 * the end is any rest.
 */
function matches(pattern: string, path: string): boolean {
  const [start = '', rest] = pattern.split('/**');
  const [wanted, given] = [start.split('/'), path.split('/')];
  if (given.length < wanted.length || (rest === undefined && given.length > wanted.length)) {
    return false;
  }
  return wanted.every((segment, nth) => {
    const isAny = segment === '*' || /^\{\w+\}$/.test(segment);
    return isAny ? given[nth] !== '' : given[nth] === segment;
  });
}
