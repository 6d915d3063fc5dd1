import { describe, expect, it } from '@jest/globals';
import { ApiLimits } from '../../../packages/relay/src/api/limits.ts';
import { ScheduledClock } from '../../../packages/relay/src/clock/relay-clock.ts';
import { start } from '../support/running-relay.ts';

describe('the limits of the API', () => {
  it('block an address after 60 invalid tokens, but not its valid tokens', async () => {
    const running = await start();
    const { token: unused } = await running.relay.tokens.create('main', 'not used before');
    const ask = (token: string) => running.call('GET', '/me', undefined, token);
    expect((await ask(running.key.token)).status).toBe(200);
    const wrong = await Promise.all(Array.from({ length: 60 }, (_, index) => ask(`rly_${index}`)));
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]));
    await running.relay.clock.advance(18_000);
    for (const token of ['rly_other', unused]) {
      const refused = await ask(token);
      expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
        429,
        '42',
        {
          type: 'urn:screen-advertising:relay:problem:rate-limited',
          title: 'Rate limit reached',
          status: 429,
          detail: 'This address sent 60 requests without a valid token. Retry in 42 s.',
        },
      ]);
    }
    expect((await ask(running.key.token)).status).toBe(200);
    await running.relay.clock.advance(42_000);
    expect((await ask(unused)).status).toBe(200);
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
    const clock = new ScheduledClock('frozen', 1_000_000);
    const limits = new ApiLimits(clock);
    const ask = (hash: string) => {
      limits.checkAddress('192.0.2.1', hash);
      limits.countRequest(hash);
    };
    for (let count = 0; count < 6_000; count += 1) ask('a');
    await clock.advance(59_001);
    expect(() => ask('a')).toThrow(
      'This token sent more than 6000 requests in a minute. Retry in 1 s.',
    );
    ask('b');
    await clock.advance(999);
    ask('a');
  });
});
