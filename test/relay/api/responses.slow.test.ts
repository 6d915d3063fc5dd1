import { beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase, type Running, send, start, subscribe } from '../support/running-relay.ts';

const none = '0'.repeat(32);
const wasRevoked =
  'The token of this subscription was revoked. Create another, and subscribe with it.';

/** In this order: the last ones change what the others read. `{on}` and the like are IDs. */
const rows: [request: string, status: number, detail?: string][] = [
  ['GET /me', 200],
  ['GET /subscriptions', 200],
  ['GET /subscriptions?limit=0', 400],
  ['GET /subscriptions/{off}', 200],
  ['PUT /subscriptions {"target_url":"a","events":["campaign.paid"]}', 400],
  ['PATCH /subscriptions/{on} {"state":"on"}', 400, 'state must be active or off.'],
  ['PATCH /subscriptions/{revoked} {"state":"active"}', 409, wasRevoked],
  ['POST /subscriptions/{on}/redeliver {}', 400],
  ['POST /subscriptions/{revoked}/redeliver {"states":["dead"]}', 409],
  ['POST /subscriptions/{on}/retry {"deliveries":[]}', 400],
  ['POST /subscriptions/{revoked}/retry {}', 409],
  ['GET /events', 200],
  ['GET /events?limit=201', 400],
  ['GET /events?after=999-00000000', 410],
  ['GET /events/{event}', 200],
  ['POST /events/{event}/redeliver {"to":"x"}', 400, 'to: unknown field, leave it out.'],
  ['POST /events/{event}/redeliver {"subscription":"{revoked}"}', 409],
  ['DELETE /events', 400],
  ['GET /deliveries', 200],
  ['GET /deliveries?state=lost', 400],
  [`GET /deliveries?subscription_id=sub_${none}`, 404, `There is no subscription sub_${none}.`],
  [`GET /deliveries?event_id=evt_${none}`, 404, `There is no event evt_${none}, or it was pruned.`],
  ['GET /deliveries/{delivery}', 200],
  ['POST /subscriptions/{on}/test', 200],
  ['POST /subscriptions/{on}/redeliver {"deliveries":["{delivery}"]}', 202],
  ['POST /subscriptions/{on}/retry', 202],
  ['POST /events/{event}/redeliver', 202],
  ['PATCH /subscriptions/{on} {"name":"Renamed"}', 200],
  ['PUT /subscriptions {"target_url":"https://a.example/","events":["user.registered"]}', 201],
  ['PUT /subscriptions {"target_url":"https://a.example/","events":["user.registered"]}', 200],
  ['DELETE /subscriptions/{off}', 204],
  ['DELETE /events?search=unknown', 200],
];

interface OperationObject {
  readonly operationId: string;
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

let running: Running;
let ids: Readonly<Record<string, string>>;
let token: string;
let operations: (OperationObject & { readonly method: string; readonly path: string })[];
/** How a response violates the document; empty if it does not. */
let faults: (id: string | undefined, response: Awaited<ReturnType<typeof send>>) => unknown;
/** Operations with a status that they returned. */
const seen = new Set<string>();

beforeEach(async () => {
  const { url: target } = await startReceiver();
  running = await start();
  const { relay, call } = running;
  const revoked = await relay.tokens.create('main', 'revoked');
  token = (await relay.tokens.create('main', 'manager', ['manage'])).token;
  const [on, off, ended] = [
    await subscribe(running, target),
    await subscribe(running, `${target}/off`),
    await subscribe(running, `${target}/revoked`, { token: revoked.token }),
  ];
  await running.deliver({ id: '1', type: 'campaign.paid', data: {} });
  await relay.clock.advance(0);
  await relay.operate('subscriptions.change', { id: off, state: 'off' });
  await relay.tokens.revoke('main', 'revoked');
  const [delivery] = (await call('GET', `/deliveries?subscription_id=${on}`)).body.data;
  ids = { on, off, revoked: ended, delivery: delivery.id, event: delivery.event_id };

  const { body: document } = await send(`${running.url}/openapi.json`, 'GET', {});
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const paths = Object.entries<Record<string, OperationObject>>(document.paths);
  operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  faults = (id, { status, headers, body }) => {
    const response = operations.find(({ operationId }) => operationId === id)?.responses[status];
    seen.add(`${id} ${status}`);
    const [[type, { schema }] = [null, { schema: {} }]] = Object.entries(response?.content ?? {});
    if (!response || headers.get('content-type') !== type) return { id, status, headers };
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')),
    );
    return body === undefined || validate(body) ? [] : validate.errors;
  };
});

const idOf = (method: string, path: string) =>
  operations.find((one) => one.path === path && one.method === method.toLowerCase())?.operationId;

/** Each operation of the API with an ID in its path, or all, and how its response differs. */
async function askAll(given: { status: number; key?: string; body?: string; byId?: boolean }) {
  const { status, key = token, body = '{"states":["dead"]}', byId = false } = given;
  const some = operations.filter(
    ({ path, responses }) =>
      path.startsWith('/api/') && responses[status] && (!byId || path.includes('{id}')),
  );
  for (const { operationId, method, path } of some) {
    const id = ids[path.includes('/events/') ? 'event' : path.includes('/del') ? 'delivery' : 'on'];
    const filled = path.replace('/api/v1', '').replace('{id}', id ?? '');
    const sent = operationId === 'subscriptions.redeliver' || body.length > 99 ? body : undefined;
    const hasBody = method !== 'get' && method !== 'delete';
    const response = await running.call(
      method.toUpperCase(),
      byId && key === token ? filled.replace(/(?<=_)[0-9a-f]{32}/, none) : filled,
      hasBody ? sent : undefined,
      key,
    );
    expect([operationId, response.status]).toEqual([operationId, status]);
    expect(faults(operationId, response)).toEqual([]);
  }
  return some.length;
}

/** Closes the connections to a database, and refuses others. */
async function cutOff(databaseUrl: string): Promise<void> {
  const name = /test_\w+/.exec(databaseUrl)?.[0] ?? '';
  await onDatabase(databaseUrl.replace(name, 'postgres'), async (client) => {
    await client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
  });
}

async function ask(request: string, status: number, detail?: string): Promise<void> {
  const [, method = '', path = '', body] = /^(\S+) (\S+) ?(.*)$/.exec(request) ?? [];
  const filled = (text: string) => text.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? '');
  const response = await running.call(method, filled(path), body ? filled(body) : undefined, token);
  expect([request, response.status]).toEqual([request, status]);
  const [template = ''] = path.replace(/\{\w+\}/, '{id}').split('?');
  expect(faults(idOf(method, `/api/v1${template}`), response)).toEqual([]);
  if (detail) expect(response.body.detail).toBe(detail);
}

const event = { id: '1', type: 'campaign.paid', data: {} };
const ofIngress: [status: number, event: unknown, options?: object][] = [
  [200, event],
  [202, { ...event, id: '2' }],
  [400, '{'],
  [401, event, { secret: 'x' }],
  [404, event, { source: 'x' }],
  [413, 'x'.repeat(2 ** 20 + 1)],
];

describe('the responses of the relay match its document', () => {
  it('whatever is asked, and are all that it has', async () => {
    for (const [path, id] of [
      ['/healthz', 'health'],
      ['/readyz', 'readiness'],
    ] as const) {
      const response = await send(`${running.url}${path}`, 'GET', {});
      expect(response).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(faults(id, response)).toEqual([]);
    }
    for (const [status, sent, options] of ofIngress) {
      const response = await running.deliver(sent, options);
      expect([response.status, faults('ingress', response)]).toEqual([status, []]);
    }
    expect(await askAll({ status: 401, key: 'rly_wrong' })).toBeGreaterThan(10);
    expect(await askAll({ status: 404, byId: true })).toBeGreaterThan(6);
    expect(await askAll({ status: 413, body: 'x'.repeat(2 ** 16 + 1) })).toBe(5);
    const large = await running.call('PUT', '/subscriptions', 'x'.repeat(2 ** 16 + 1));
    expect(large.body.detail).toBe('The body is longer than 65536 bytes.');
    for (const row of rows) await ask(...row);
    const documented = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    );
    const untried = documented.filter((one) => !seen.has(one) && !/ (403|429|503)$/.test(one));
    expect(untried).toEqual([]);
  });

  it('to a token of another source, which learns nothing', async () => {
    const { relay, call } = running;
    await relay.sources.add('other', 'another-secret');
    const { token: key } = await relay.tokens.create('other', 'stranger', ['manage']);
    expect(await askAll({ status: 404, key, byId: true })).toBeGreaterThan(6);
    for (const list of ['events', 'deliveries', 'subscriptions']) {
      expect((await call('GET', `/${list}`, undefined, key)).body.data).toEqual([]);
    }
    const body = { subscription: ids.on };
    const foreign = await call('POST', `/events/${ids.event}/redeliver`, body, key);
    expect(foreign.status).toBe(404);
    expect((await call('GET', `/subscriptions/${ids.on}`)).body.state).toBe('active');
  });

  it('while the database is away', async () => {
    await cutOff(running.databaseUrl);
    expect(await askAll({ status: 503 })).toBeGreaterThan(10);
    const unready = await send(`${running.url}/readyz`, 'GET', {});
    expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '5']);
    expect(faults('readiness', unready)).toEqual([]);
  });
});
