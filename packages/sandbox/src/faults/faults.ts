import type { Random } from '../random.ts';
import { type FaultAction, type FaultMatch, type FaultRule, readFaultRule } from './fault-rule.ts';

/** An active rule, and how often it was triggered. */
export type ActiveFault = FaultMatch & FaultAction & { readonly id: string; triggered: number };

interface Entry {
  readonly fault: ActiveFault;
  matched: number;
}

/** The active fault rules, in the order they were added. */
export class Faults {
  readonly #random: Random;
  #entries: Entry[] = [];
  #lastNumber = 0;

  constructor(random: Random) {
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
