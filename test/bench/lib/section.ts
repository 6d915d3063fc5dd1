import type { Spread } from './spread.ts';

/** What one part of the benchmark found, ready to be shown. */
export interface Section {
  readonly title: string;
  /** What was done, and what 1 stands for. */
  readonly intro: string;
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A figure that should stay on one side of a bound: a ratio or a count, and rarely a time. */
export interface Goal {
  readonly what: string;
  readonly value: Spread;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
}

/** Short: with fewer rounds and the smallest sizes, for continuous integration. */
export type Part = (isShort: boolean) => Promise<Section>;

/** Whether the median keeps the bound. */
export function isMet({ value, bound }: Goal): boolean {
  return 'atMost' in bound ? value.median <= bound.atMost : value.median >= bound.atLeast;
}

/**
 * Whether even the better quarter of the turns breaks the bound, widened by a factor: other work
 * on the machine spoils some of the turns, and a slow-down all of them.
 */
export function isFarBeyond({ value, bound }: Goal, factor: number): boolean {
  return 'atMost' in bound
    ? value.low > bound.atMost * factor
    : value.high < bound.atLeast / factor;
}

export function atMost(what: string, value: Spread | undefined, bound: number): Goal {
  return { what, value: measured(what, value), bound: { atMost: bound } };
}

export function atLeast(what: string, value: Spread | undefined, bound: number): Goal {
  return { what, value: measured(what, value), bound: { atLeast: bound } };
}

function measured(what: string, value: Spread | undefined): Spread {
  if (value) return value;
  throw new Error(`${what} was not measured.`);
}
