import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { apiKey, type ClientOptions, type Operation, operations } from '@screen-advertising/core';
import { platformAuth } from '@screen-advertising/core/platform';
import { userAgentOf } from '../../../shared/src/client/request.ts';
import { version } from '../../../shared/src/client/version.ts';
import { defaultTransport } from '../../../shared/src/transport/no-default-transport.ts';
import { read } from '../../structure/project.ts';
import { exampleInput } from '../../support/example-input.ts';
import { key, useBench } from '../support/bench.ts';
import { page } from '../support/steps.ts';

const bench = useBench();
const screen = { screenId: 'scr_1' };

describe('a call', () => {
  it('sends the method, the path below the base URL and the bearer token, and no X-API-Key', async () => {
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
    await bench.client().screens.get(screen);
    const [received] = bench.service.received;
    expect(received?.method).toBe('GET');
    expect(received?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      accept: 'application/json, application/problem+json',
    });
    expect(received?.headers).not.toHaveProperty('x-api-key');
    expect(received?.body).toBe('');
  });

  it('sends filters as a query, each of them encoded', async () => {
    bench.service.on('GET /screens', page([], null, false));
    await bench.client().screens.list({ city: 'Bad Säckingen & Co', bbox: '1,2,3,4', limit: 7 });
    expect(bench.service.received[0]?.path).toBe(
      '/screens?city=Bad%20S%C3%A4ckingen%20%26%20Co&bbox=1%2C2%2C3%2C4&limit=7',
    );
  });
});

describe('the rate limit of an access (section 8)', () => {
  it('is 600 requests per minute by default, shared by all clients of the access', async () => {
    let sent = 0;
    const send = async () => {
      sent += 1;
      return { status: 200, headers: {}, body: '{"id":"scr_1"}' };
    };
    const transport = { clock: bench.clock, send };
    const clients = [bench.client({ transport }), bench.client({ transport })];
    const calls = Array.from({ length: 601 }, (_, nth) => clients[nth % 2]?.screens.get(screen));
    await bench.clock.advance(60_000);
    expect(sent).toBe(600);
    await bench.clock.advance(1);
    expect(sent).toBe(601);
    await Promise.all(calls);
  });

  it.each<[string, Partial<ClientOptions>]>([
    ['another key', { auth: apiKey('svc_another') }],
    ['another access of a platform', { auth: platformAuth('another') }],
    ['a client whose limit is enforced elsewhere', { rateLimit: false }],
  ])('is separate from that of %s', async (_what, options) => {
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
    const rateLimit = { requests: 1, perMs: 60_000 };
    await bench.client({ rateLimit }).screens.get(screen);
    await bench.client({ rateLimit, ...options }).screens.get(screen);
    expect(bench.service.received).toHaveLength(2);
  });
});

describe('a client has a method for every operation of the catalogue', () => {
  const methods = [
    ['screens', 'list', 'screen.list'],
    ['screens', 'get', 'screen.get'],
    ['screens', 'availability', 'screen.availability'],
    ['coupons', 'create', 'coupon.create'],
    ['coupons', 'get', 'coupon.get'],
    ['coupons', 'revoke', 'coupon.revoke'],
    ['users', 'lookup', 'user.lookup'],
    ['landingLinks', 'create', 'landingLink.create'],
    ['campaignRequests', 'list', 'campaignRequest.list'],
    ['campaignRequests', 'get', 'campaignRequest.get'],
  ] as const;

  it.each(methods)('%s.%s', async (group, action, name) => {
    const operation: Operation = operations[name];
    const input = exampleInput(operation);
    const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) => String(input[name]));
    const route = `${operation.method} ${filled}`;
    bench.service.on(route, { body: { data: [] } });
    const methodsOf = bench.client()[group] as unknown as Record<
      string,
      (input: object) => Promise<unknown>
    >;
    expect(await methodsOf[action]?.(input)).toMatchObject({ data: [] });
    expect(bench.service.receivedFor(route)).toHaveLength(1);
  });

  it('shows them when it is printed or copied, and no secret', () => {
    const client = bench.client();
    const printed = inspect(client);
    for (const [group, action] of methods) {
      expect(printed).toContain(`${action}: [Function: ${group}.${action}]`);
    }
    expect(printed).not.toContain(key);
    expect(Object.keys({ ...client })).toEqual(
      expect.arrayContaining([...new Set(methods.map(([group]) => group))]),
    );
  });
});

it('the user agent has the version in package.json, and nothing where nothing is known', () => {
  expect(JSON.parse(read('shared/package.json')).version).toBe(version);
  expect(userAgentOf({}, undefined)).toBeUndefined();
  expect(userAgentOf({}, 'my-app/1.2')).toBe(`my-app/1.2 screen-advertising-core/${version}`);
  expect(userAgentOf({ runtime: 'node/24' }, undefined)).toBe(
    `screen-advertising-core/${version} (node/24)`,
  );
});

it('a bundle without a default transport says what to pass', () => {
  expect(defaultTransport).toThrow(
    'createClient has no default transport in this bundle. Pass `transport`: an object with `clock` and `send`, which sends one HTTP request.',
  );
});
