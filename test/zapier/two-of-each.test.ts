/*
 * Each test has two of whatever the app keeps apart, so that it fails when a part of a key is left
 * out, or an option is not passed.
 */
import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { Client } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { withDeadline } from '../../packages/zapier-screen-advertising/src/lib/client.ts';
import { readRelayAddress } from '../../packages/zapier-screen-advertising/src/lib/connection.ts';
import { loadPollState } from '../../packages/zapier-screen-advertising/src/lib/polling.ts';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';
import { useService } from './app/use-service.ts';
import { createZapierRunner } from './app/zapier.ts';

const service = useService();

/** One store of Zapier for all connections. */
function sharedCache(): ZObject {
  const stored = new Map<string, unknown>();
  const cache = {
    get: async (key: string) => stored.get(key) ?? null,
    set: async (key: string, value: unknown) => stored.set(key, value),
  };
  return { cache } as unknown as ZObject;
}

describe('what a poll has seen is kept apart', () => {
  const connection = { base_url: 'https://one.example/api/v1', client_id: 'one', api_key: '' };
  it.each([
    ['by service', { base_url: 'https://other.example/api/v1' }, 'screens'],
    ['by client ID', { client_id: 'other' }, 'screens'],
    ['by API key', { api_key: 'svc_other' }, 'screens'],
    ['by what is watched', {}, 'requests'],
  ])('%s', async (_what, changes, watched) => {
    const z = sharedCache();
    const load = (authData: object, what: string) =>
      loadPollState(z, { authData } as unknown as Bundle, { label: 'New Screen' } as never, what);
    await (await load(connection, 'screens')).save({ a: 'seen' }, []);
    expect((await load(connection, 'screens')).isEmpty).toBe(false);
    expect((await load({ ...connection, ...changes }, watched)).isEmpty).toBe(true);
  });
});

it('two Zaps with other filters do not start each other', async () => {
  const { sandbox } = service();
  const zapier = await service().connect();
  for (const industry of ['retail', 'finance']) {
    sandbox.campaignRequests.add({ industry, status: 'rejected' });
    expect(await zapier.poll('campaign_request_status_changed', { industry })).toEqual([]);
  }
});

describe('a moment is the day in the time zone of the Zap,', () => {
  const midnight = { from: '2027-03-01T00:00:00+01:00', to: '2027-03-14T00:00:00+01:00' };
  const inBerlin = { ...midnight, city: 'Berlin' };
  type Run = (zapier: Awaited<ReturnType<ReturnType<typeof service>['connect']>>) => unknown;
  it.each<[string, Run]>([
    ['Find Available Screens', (zapier) => zapier.search('find_available_screens', inBerlin)],
    [
      'Find Screen Availability',
      (zapier) =>
        zapier.search('find_screen_availability', { ...midnight, screen_id: 'scr_berlin_0001' }),
    ],
    [
      'Screen Availability Changed',
      (zapier) =>
        zapier.poll('screen_availability_changed', {
          ...inBerlin,
          change: 'either',
          share_pct: 50,
        }),
    ],
  ])('in %s', async (_what, run) => {
    await run(await service().connect());
    const asked = service()
      .calls()
      .filter((call) => call.includes('/availability?'));
    expect(asked.length).toBeGreaterThan(0);
    for (const call of asked) expect(call).toMatch(/\?from=2027-03-01&to=2027-03-14 200$/);
  });
});

it.each([
  [{ relay_base_url: 'https://relay.example' }, 'connector_key'],
  [{ connector_key: 'rly_…' }, 'relay_base_url'],
])('half a relay, %j, is refused under the field that is missing', (authData, field) => {
  expect(() => readRelayAddress(authData)).toThrow(expect.objectContaining({ field }));
});

it('a token that lives shorter than the time before its end is used for most of it', async () => {
  const { sandbox, baseUrl, credentialsOf } = service();
  const body = JSON.stringify({ access_token: 'sat_short', token_type: 'bearer', expires_in: 30 });
  const contentType = 'application/json';
  sandbox.faults.add({ path: '/oauth/token', fault: 'status', status: 200, body, contentType });
  const credentials = credentialsOf('client credentials', 'full');
  const session = await createZapierRunner({ baseUrl, credentials }).run(
    'authentication.sessionConfig.perform',
  );
  const { renew_at } = session as { readonly renew_at: string };
  const leftMs = Date.parse(renew_at) - Date.now();
  expect(leftMs).toBeGreaterThan(5_000);
  expect(leftMs).toBeLessThan(28_000);
});

it('a run that has ended leaves no timer', async () => {
  const timers = () =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  expect(await withDeadline({} as Client, 'A step', async () => 'done')).toBe('done');
  expect(timers()).toBe(before);
});

it('a page of a dropdown is there once Zapier has stored where the next one starts', async () => {
  let isStored = false;
  const backend = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    // Slower than the app, which waits for it.
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    const { id, method } = JSON.parse(text) as { id: string; method: string };
    isStored ||= method === 'set_cursor';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id, result: null }));
  });
  const { port, close } = await listen(backend);
  process.env.ZAPIER_DEPLOY_KEY = 'of-this-test';
  closeAfterTest(() => {
    delete process.env.ZAPIER_DEPLOY_KEY;
    return close();
  });
  const zapier = await service().connect({ event: { rpc_base: `http://127.0.0.1:${port}/rpc` } });
  await zapier.poll('screen_list');
  expect(isStored).toBe(true);
});
