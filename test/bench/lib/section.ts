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

/** A ratio or a count that should stay on one side of a bound. Times never are goals. */
export interface Goal {
  readonly what: string;
  readonly value: Spread;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
}

export interface PartOptions {
  /** Fewer rounds and the smallest sizes, for continuous integration. */
  readonly isShort: boolean;
}

export type Part = (options: PartOptions) => Promise<Section>;

export function isMet(goal: Goal): boolean {
  return isWithin(goal, 1);
}

/** Whether the median keeps the bound, widened by a factor. */
export function isWithin({ value, bound }: Goal, factor: number): boolean {
  return 'atMost' in bound
    ? value.median <= bound.atMost * factor
    : value.median >= bound.atLeast / factor;
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
