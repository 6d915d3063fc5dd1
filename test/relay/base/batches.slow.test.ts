import { describe, expect, it } from '@jest/globals';
import { BatchedStatement } from '../../../packages/relay/src/base/statements.ts';

const never = 2 ** 31 - 1;

/** Doubles numbers. 13 is rejected, as PostgreSQL rejects a value that it cannot store. */
function doubling(options: { most: number; lingerMs?: number }) {
  const statements: (readonly number[])[] = [];
  const batches = new BatchedStatement<number, number>(async (numbers) => {
    statements.push(numbers);
    if (numbers.includes(13)) throw Object.assign(new Error('refused'), { code: '22021' });
    if (numbers.includes(0)) throw Object.assign(new Error('away'), { code: '57P01' });
    return numbers.map((number) => number * 2);
  }, options);
  return { batches, statements };
}

const all = (batches: BatchedStatement<number, number>, numbers: number[]) =>
  Promise.allSettled(numbers.map((number) => batches.add(number))).then((ends) =>
    ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message)),
  );

describe('a batch', () => {
  it('takes what arrives in the same tick; what arrives during a batch waits for the next', async () => {
    const { batches, statements } = doubling({ most: 3 });
    expect(await all(batches, [1, 2, 3, 4, 5])).toEqual([2, 4, 6, 8, 10]);
    expect(statements).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('loses only the item that the database rejects', async () => {
    const { batches } = doubling({ most: 10 });
    expect(await all(batches, [1, 13, 2])).toEqual([2, 'refused', 4]);
  });

  it('fails as a whole if the database is down, and the next one runs', async () => {
    const { batches, statements } = doubling({ most: 3 });
    expect(await all(batches, [1, 0, 2, 3])).toEqual(['away', 'away', 'away', 6]);
    expect(statements).toHaveLength(2);
  });

  it('that lingers starts on flush, or when it is full', async () => {
    const { batches, statements } = doubling({ most: 3, lingerMs: never });
    expect(await all(batches, [1, 2, 3])).toEqual([2, 4, 6]);
    const last = batches.add(4);
    batches.flush();
    expect(await last).toBe(8);
    expect(statements).toEqual([[1, 2, 3], [4]]);
  });

  it('runs beside others, up to as many at once as it may', async () => {
    const running: ((results: number[]) => void)[] = [];
    const statements: (readonly number[])[] = [];
    const batches = new BatchedStatement<number, number>(
      (numbers) => {
        statements.push(numbers);
        return new Promise((resolve) => running.push(resolve));
      },
      { most: 2, atOnce: 2 },
    );
    const results = all(batches, [1, 2, 3, 4, 5]);
    const tick = () => new Promise((resolve) => setImmediate(resolve));
    await tick();
    await tick();
    await tick();
    expect(statements).toEqual([
      [1, 2],
      [3, 4],
    ]);
    running[1]?.([6, 8]);
    await tick();
    await tick();
    expect(statements.slice(2)).toEqual([[5]]);
    running[0]?.([2, 4]);
    running[2]?.([10]);
    expect(await results).toEqual([2, 4, 6, 8, 10]);
    expect(statements).toHaveLength(3);
  });
});
