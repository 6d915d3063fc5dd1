import { ratiosTo } from '../../lib/rounds.ts';
import { atMost, type Goal, type Table } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';

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

/** Of what is waited for: the p99 in each turn, in milliseconds, by what else happened. */
export type Waits = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

/** How much longer each wait is beside other work than without it. */
export function waitsBeside(title: string, alone: string, beside: string, waits: Waits): Findings {
  const columns = Object.entries(waits);
  return {
    table: {
      head: [title, ...columns.flatMap(([of]) => [`p99 of ${of}`, 'milliseconds here'])],
      rows: [alone, beside].map((row) => [
        row,
        ...columns.flatMap(([, each]) => [
          showSpread(ratiosTo(alone, each)[row]),
          digits(spreadOf(each[row] ?? []).median),
        ]),
      ]),
    },
    goals: columns.map(([of, each]) =>
      atMost(`p99 of ${of} beside ${beside}, to without`, ratiosTo(alone, each)[beside], 1.5),
    ),
  };
}
