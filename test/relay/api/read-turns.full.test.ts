import { describe, expect, it, jest } from '@jest/globals';
import { ReadTurns } from '../../../packages/relay/src/api/read-turns.ts';

/** A read that ends when the test says so. */
function read(order: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const start = () => {
    order.push(name);
    return promise;
  };
  return { start, end: () => resolve(name) };
}

describe('the reads of a token', () => {
  it('run one at a time, in order, while another token reads, too', async () => {
    const turns = new ReadTurns();
    const order: string[] = [];
    const [first, second, third, other] = ['1', '2', '3', 'other'].map((name) => read(order, name));
    const results = [first, second, third].map((one) => turns.run(1, one?.start ?? fail));
    const ofOther = turns.run(2, other?.start ?? fail);
    // Whatever could start has started.
    await new Promise(setImmediate);
    expect(order).toEqual(['1', 'other']);
    for (const one of [other, first, second, third]) one?.end();
    expect(await Promise.all([...results, ofOther])).toEqual(['1', '2', '3', 'other']);
    expect(order).toEqual(['1', 'other', '2', '3']);
  });

  it('continue after one that failed', async () => {
    const turns = new ReadTurns();
    const failed = turns.run(1, async () => Promise.reject(new Error('no')));
    const next = turns.run(1, async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('end with a 503 after 5 s of waiting, and the others keep their turns', async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    try {
      const turns = new ReadTurns();
      const order: string[] = [];
      const slow = read(order, 'slow');
      const running = turns.run(1, slow.start);
      const late = turns.run(1, async () => 'late');
      const rejection = expect(late).rejects.toMatchObject({
        status: 503,
        message:
          'The relay stopped this request after 5 s, because it runs the reads of a token one at a time, and others came first. Send fewer at once, then retry.',
      });
      await jest.advanceTimersByTimeAsync(5_000);
      await rejection;
      slow.end();
      expect(await running).toBe('slow');
      expect(await turns.run(1, async () => 'next')).toBe('next');
    } finally {
      jest.useRealTimers();
    }
  });
});

function fail(): never {
  throw new Error('There is no such read.');
}
