import { describe, expect, it } from '@jest/globals';
import { ScheduledClock } from '@screen-advertising/server-kit';
import { ApiLimits } from '../../../packages/relay/src/api/authenticate.ts';
import { onDatabase, start } from '../support/running-relay.ts';

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

it('reads that take too long end with what to narrow, and the ingress does not wait for them', async () => {
  const running = await start({ onError: () => undefined });
  const { call, deliver, databaseUrl } = running;
  await onDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE attempt');
    let read = 0;
    const reads = Array.from({ length: 5 }, () =>
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
