import type { Goal, Table } from '../../lib/section.ts';

/** What one measurement adds to the part. */
export interface Findings {
  readonly table: Table;
  readonly goals: readonly Goal[];
}

/** One figure of all samples of each contestant. */
export function pick<Sample>(
  samples: Readonly<Record<string, readonly Sample[]>>,
  value: (sample: Sample) => number,
): Record<string, number[]> {
  return Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, list.map(value)]));
}
