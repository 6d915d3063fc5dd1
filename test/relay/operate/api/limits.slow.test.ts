import { describe, expect, it, jest } from '@jest/globals';
import { ScheduledClock } from '@screen-advertising/server-kit';
import { ApiLimits } from '../../../../packages/relay/src/operate/api/limits.ts';
import { Turns } from '../../../../packages/relay/src/operate/api/turns.ts';
import { onDatabase } from '../../support/database.ts';
import { start } from '../../support/running-relay.ts';
import { subscribe } from '../../support/subscribe.ts';

describe('the limits of the API', () => {
  it('block the invalid tokens of an address after 60', async () => {
    const running = await start();
    const ask = (token: string) => running.call('GET', '/me', undefined, token);
    const wrong = await Promise.all(Array.from({ length: 60 }, (_, index) => ask(`rly_${index}`)));
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]));
    await running.relay.clock.advance(18_000);
    const refused = await ask('rly_other');
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '42',
      {
        type: 'urn:screen-advertising:relay:problem:rate-limited',
        title: 'Rate limit reached',
        status: 429,
        detail:
          'This address sent more than 60 requests without a valid token in a minute. Retry in 42 s.',
        retry_after: 42,
      },
    ]);
    await running.relay.clock.advance(42_000);
    expect((await ask('rly_other')).status).toBe(401);
  });

  it('let a valid token through a flood of invalid ones', async () => {
    const running = await start();
    const { token: unused } = await running.relay.tokens.create('main', 'not used before');
    const tokens = Array.from({ length: 200 }, (_, nth) => (nth === 100 ? unused : `rly_${nth}`));
    const statuses = await Promise.all(
      tokens.map(async (token) => (await running.call('GET', '/me', undefined, token)).status),
    );
    expect(statuses[100]).toBe(200);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(139);
  });

  it('block a token that worked until it was revoked', async () => {
    const running = await start();
    const { token } = await running.relay.tokens.create('main', 'revoked soon');
    const ask = () => running.call('GET', '/me', undefined, token);
    expect((await ask()).status).toBe(200);
    await running.relay.tokens.revoke('main', 'revoked soon');
    const answers = [];
    for (let count = 0; count < 61; count += 1) answers.push((await ask()).status);
    expect([answers[59], answers[60]]).toEqual([401, 429]);
  });

  it('block a token after 6,000 requests in a minute', async () => {
    const clock = new ScheduledClock({ isFrozen: true, startAt: 1_000_000 });
    const limits = new ApiLimits(clock);
    for (let count = 0; count < 6_000; count += 1) limits.countRequest(1);
    await clock.advance(59_001);
    expect(() => limits.countRequest(1)).toThrow(
      'This token sent more than 6000 requests in a minute. Retry in 1 s.',
    );
    limits.countRequest(2);
    await clock.advance(999);
    limits.countRequest(1);
  });
});

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
    const turns = new Turns('reads');
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
      const turns = new Turns('reads');
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
    expect(responses[0]?.body.detail).toBe(
      'The relay stopped this request after 5 s, because it reads too much or the database is busy. Retry it with a smaller limit, or with fewer records to search: name a time, a type, a state, a subscription or an event.',
    );
    expect(responses[0]?.headers.get('retry-after')).toBe('5');
    await client.query('ROLLBACK');
  });
  expect((await call('GET', '/events')).body.data).toHaveLength(3);
});

it('the writes of one token that wait for a lock stop neither reads nor writes of another', async () => {
  const running = await start();
  const { call, databaseUrl, relay } = running;
  const id = await subscribe(running, 'https://a.example');
  const { token } = await relay.tokens.create('main', 'other');
  await onDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM subscription FOR UPDATE');
    let ended = 0;
    const deletions = Array.from({ length: 100 }, () =>
      call('DELETE', `/subscriptions/${id}`).finally(() => {
        ended += 1;
      }),
    );
    expect((await call('GET', '/me', undefined, token)).status).toBe(200);
    await subscribe(running, 'https://b.example', { token });
    expect((await relay.operate('subscriptions.list')).data).toHaveLength(2);
    expect(ended).toBe(0);
    await client.query('ROLLBACK');
    await Promise.all(deletions);
  });
});
