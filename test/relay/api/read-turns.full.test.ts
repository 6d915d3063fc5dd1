import { describe, expect, it, jest } from '@jest/globals';
import { ReadTurns } from '../../../packages/relay/src/api/read-turns.ts';
import { onDatabase } from '../support/database.ts';
import { start } from '../support/running-relay.ts';

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

it('reads that take too long end with what to narrow, and the ingress does not wait for them', async () => {
  const running = await start({ onError: () => undefined });
  const { call, deliver, databaseUrl } = running;
  await onDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE attempt');
    let read = 0;
    const reads = Array.from({ length: 20 }, () =>
      call('GET', '/deliveries').finally(() => {
        read += 1;
      }),
    );
    for (const id of ['1', '2', '3']) {
      expect((await deliver({ id, type: 'campaign.paid' })).status).toBe(202);
    }
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    expect(read).toBe(0);
    const responses = await Promise.all(reads);
    expect(responses.map(({ status }) => status)).toEqual(reads.map(() => 503));
    expect(responses[0]).toMatchObject({
      body: {
        detail:
          'The relay stopped this request after 5 s, because it reads too much or the database is busy. Retry it with a smaller limit, or with fewer records to search: name a time, a type, a state, a subscription or an event.',
      },
    });
    expect(responses[0]?.headers.get('retry-after')).toBe('5');
    await client.query('ROLLBACK');
  });
  expect((await call('GET', '/events')).body.data).toHaveLength(3);
});
