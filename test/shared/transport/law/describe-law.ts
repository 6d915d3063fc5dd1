import { expect, it } from '@jest/globals';
import type { TransportUnderTest } from '../contract/contract-bench.ts';
import { type Differences, differences } from './differences.ts';
import { outcomesOf } from './outcome.ts';
import { expectedOf, openTable } from './table.ts';

/** Sends a request to every case: each settles, as the law or a named difference says. */
export function describeLaw(
  make: () => TransportUnderTest | Promise<TransportUnderTest>,
  name: keyof typeof differences,
): void {
  it('keeps the law in every case but those where it is known to differ', async () => {
    const known: Differences = differences[name];
    const { rows, close } = await openTable();
    const { transport, close: end } = await make();
    const expected = rows.map((row) => expectedOf(row, known));
    const outcomes = await outcomesOf(transport, expected);
    await end?.();
    await close();
    const named = (texts: readonly string[]) =>
      Object.fromEntries(rows.map((row, nth) => [row.name, texts[nth]]));
    expect(named(outcomes)).toEqual(named(expected.map(({ outcome }) => outcome)));
    // A difference that has gone, or has lost its case, goes from the list.
    const laws = named(rows.map(({ law }) => law));
    expect(Object.entries(known).filter(([one, text]) => (laws[one] ?? text) === text)).toEqual([]);
  });
}
