import { describe, expect, it } from '@jest/globals';
import type { Client } from '@screen-advertising/core';
import { rejection } from '../support/bench.ts';
import type { Step } from '../support/scripted-service.ts';
import { problem, token } from '../support/steps.ts';
import { fifty, get, hour, second, useTokenBench } from '../support/token-bench.ts';

const bench = useTokenBench();
const minute = 60 * second;

/** Issues tokens that work for this long, and responds with 403 to all others. */
function expireAfter(ms: number): void {
  const issued = new Map<string, number>();
  bench.service.on('POST /oauth/token', (response, service) => {
    const name = `t${issued.size}`;
    issued.set(`Bearer ${name}`, bench.clock.now());
    service.release(response, token(name));
  });
  const answer: Step = (response, service, { headers }) => {
    const age = bench.clock.now() - (issued.get(headers.authorization ?? '') ?? -ms);
    service.release(response, age < ms ? { body: { id: 'scr_1', url: 'u' } } : problem(403));
  };
  bench.service.on('GET /screens/scr_1', answer);
  bench.service.on('POST /landing-links', answer);
}

const shift = 8 * hour;

/** A shift with a call every ten minutes. */
async function work(call: () => Promise<unknown>): Promise<void> {
  for (let passed = 0; passed < shift; passed += 10 * minute) {
    await bench.clock.run(call());
    await bench.clock.advance(10 * minute);
  }
}

describe('a 403 to a token older than a minute', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['a read', get],
    ['a change', (client) => client.landingLinks.create({})],
    ['50 reads at once', (client) => Promise.all(fifty(client))],
  ])('renews it once, so %s never fails', async (_what, call) => {
    expireAfter(50 * minute);
    const client = bench.clientWithToken({ retry: false });
    await work(() => call(client));
    expect(bench.tokenRequests).toHaveLength(Math.ceil(shift / (50 * minute)));
  });

  it('is final when the new token is refused, too', async () => {
    expireAfter(0);
    const client = bench.clientWithToken();
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } }, problem(403));
    await get(client);
    await bench.clock.advance(minute);
    expect(await rejection(get(client))).toMatchObject({ code: 'missing_scope', attempts: 2 });
    expect(bench.tokenRequests).toHaveLength(2);
  });
});

describe('a missing scope', () => {
  it('costs at most one token request an hour, and other scopes work', async () => {
    expireAfter(2 * hour);
    bench.service.on('GET /users/lookup', problem(403));
    const client = bench.clientWithToken();
    await get(client);
    await bench.clock.advance(5 * minute);
    await work(async () => {
      await get(client);
      const lookUp = client.users.lookup({ email: 'lead@example.com' });
      expect(await rejection(lookUp)).toMatchObject({ code: 'missing_scope' });
    });
    expect(bench.tokenRequests.length).toBeLessThanOrEqual(shift / hour + 2);
  });

  it('is certain at once when the token is young', async () => {
    expireAfter(0);
    expect(await rejection(get(bench.clientWithToken()))).toMatchObject({ attempts: 1 });
    expect(bench.tokenRequests).toHaveLength(1);
  });

  it('of an API key costs one request', async () => {
    bench.service.on('GET /screens/scr_1', problem(403));
    const client = bench.client();
    await rejection(get(client));
    await bench.clock.advance(hour);
    expect(await rejection(get(client))).toMatchObject({ code: 'missing_scope', attempts: 1 });
  });
});
