import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { cutOff } from '../../support/cut-off.ts';
import { rows } from '../../support/every-response.ts';
import { type Row, type, type World } from '../../support/response-row.ts';
import { type RelayResponse, type Running, send, start } from '../../support/running-relay.ts';

interface OperationObject {
  readonly operationId: string;
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** Compares real responses with the OpenAPI document that the relay serves. */
async function judge({ url }: Running) {
  const { body: document } = await send(`${url}/openapi.json`, 'GET', {});
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const paths = Object.entries<Record<string, OperationObject>>(document.paths);
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  /** How a response violates the document; empty if it does not. */
  const faults = (id: string, { status, headers, body }: RelayResponse): unknown => {
    const response = operations.find(({ operationId }) => operationId === id)?.responses[status];
    const [[contentType, { schema }] = [null, { schema: {} }]] = Object.entries(
      response?.content ?? {},
    );
    if (!response || headers.get('content-type') !== contentType) return { id, status, headers };
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const validate = ajv.compile(JSON.parse(text));
    return body === undefined || validate(body) ? [] : validate.errors;
  };
  return { operations, faults };
}

/** A source with one active and one inactive subscription, an event, and its deliveries. */
async function world(): Promise<World> {
  const target = (await startReceiver(Array(20).fill(200))).url;
  const running = await start();
  const put = async (url: string) =>
    (await running.call('PUT', '/subscriptions', { target_url: url, events: [type] })).body.id;
  const on = await put(target);
  const off = await put(`${target}/off`);
  await running.deliver({ id: '1', type, data: {} });
  await running.relay.clock.advance(0);
  await running.relay.subscriptions.off(off);
  const { data } = (await running.call('GET', '/deliveries')).body;
  const [offDelivery, delivery] = data;
  await running.relay.sources.add('other', 'another-secret');
  const { token: stranger } = await running.relay.tokens.create('other', 'stranger');
  const ids = {
    on,
    off,
    event: delivery.event_id,
    delivery: delivery.id,
    offDelivery: offDelivery.id,
  };
  return { running, target, ids, stranger };
}

/** Errors and reads change nothing, so they can share a relay. */
const changes = ([operation, status]: Row) =>
  status < 300 && !/^me$|\.(list|get)$|^health$|^readiness$/.test(operation);

async function check(made: World, some: readonly Row[]): Promise<void> {
  const { faults } = judged;
  const { token, signingSecret } = made.running.key;
  for (const [operation, status, request, body] of some) {
    const answer = await request(made);
    expect([operation, answer.status, answer.body]).toEqual([operation, status, body]);
    expect(faults(operation, answer)).toEqual([]);
    for (const secret of [token, signingSecret]) {
      expect(JSON.stringify(answer.body ?? '')).not.toContain(secret);
    }
  }
}

/** Every relay serves the same document. */
let judged: Awaited<ReturnType<typeof judge>>;

beforeAll(async () => {
  judged = await judge(await start());
});

describe('the responses of the relay', () => {
  it('match the document, and name what is at fault', async () => {
    const some = rows.filter((row) => !changes(row));
    expect(some.length).toBeGreaterThan(30);
    await check(await world(), some);
  });

  it('match it after changes, too', async () => {
    const some = rows.filter(changes);
    expect(some.length).toBeGreaterThan(10);
    const apart = some.filter(([operation]) => /\.(put|delete)$|ingress/.test(operation));
    const together = some.filter((row) => !apart.includes(row));
    await check(await world(), together);
    for (const row of apart) await check(await world(), [row]);
  });

  it('cover the whole document', async () => {
    const { operations, faults } = judged;
    const tried = new Set(rows.map(([operation, status]) => `${operation} ${status}`));
    const documented = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    );
    const rest = documented.filter((pair) => !tried.has(pair) && !/ (401|403|429|503)$/.test(pair));
    expect(rest).toEqual([]);
    const headers = new Headers({ 'content-type': 'application/json' });
    expect(faults('me', { status: 200, headers, body: { name: 1 } })).toMatchObject([
      { params: { missingProperty: 'source' } },
      { params: { missingProperty: 'rights' } },
      { instancePath: '/name' },
    ]);
  });

  it('are 401 without a token, 404 for another source, and 503 without a database', async () => {
    const { running, ids, stranger } = await world();
    const { operations, faults } = judged;
    const api = operations.filter(({ path }) => path.startsWith('/api/'));
    const pathOf = (path: string) => {
      const id = path.includes('/events/') ? ids.event : ids.on;
      return path.replace('/api/v1', '').replace('{id}', path.includes('/del') ? ids.delivery : id);
    };
    const bodies: Readonly<Record<string, object>> = {
      'subscriptions.redeliver': { states: ['dead'] },
    };
    const askAll = async (status: number, token: string | undefined, some = api) => {
      for (const { operationId, method, path } of some) {
        const body = bodies[operationId];
        const answer = await running.call(method.toUpperCase(), pathOf(path), body, token);
        expect([operationId, answer.status]).toEqual([operationId, status]);
        expect(faults(operationId, answer)).toEqual([]);
      }
    };
    expect(api.length).toBeGreaterThan(10);
    await askAll(401, 'rly_wrong');
    const withId = api.filter(({ path }) => path.includes('{id}'));
    expect(withId.length).toBeGreaterThan(6);
    await askAll(404, stranger, withId);
    for (const list of ['events', 'deliveries', 'subscriptions']) {
      const { body } = await running.call('GET', `/${list}`, undefined, stranger);
      expect(body.data).toEqual([]);
    }
    const foreign = await running.call(
      'POST',
      `/events/${ids.event}/redeliver`,
      { subscription: ids.on },
      stranger,
    );
    expect(foreign.status).toBe(404);
    expect((await running.call('GET', `/subscriptions/${ids.on}`)).body.state).toBe('active');
    await cutOff(running.databaseUrl);
    await askAll(503, undefined);
    await running.relay.clock.advance(1_000);
    const unready = await send(`${running.url}/readyz`, 'GET', {});
    expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '5']);
    expect(faults('readiness', unready)).toEqual([]);
  });
});
