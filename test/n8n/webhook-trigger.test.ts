import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import type { StoredCredentials } from './engine/credentials-helper.ts';
import { Engine } from './engine/engine.ts';
import { serveWebhook, type WebhookServer } from './engine/webhook-server.ts';
import { startWorld, type World } from './world.ts';

const secret = 'current-secret';
const credentials = {
  screenAdvertisingWebhookApi: { signingSecret: secret, previousSigningSecret: 'previous-secret' },
};
const event = {
  id: 'evt_1',
  type: 'coupon.redeemed',
  data: { code: 'SPRING-25', lead_email: 'lead@example.com' },
};

let server: WebhookServer;
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function publish(
  parameters: INodeParameters = {},
  options: { stored?: StoredCredentials; mode?: WorkflowExecuteMode } = {},
): Promise<WebhookServer> {
  const engine = await Engine.start(options.stored ?? credentials);
  return await serveWebhook(
    engine,
    // Every trigger of these tests is one of its own, as in n8n.
    {
      id: `trigger-${++triggers}`,
      type: 'screenAdvertisingTrigger',
      parameters: { events: [event.type], ...parameters },
    },
    options.mode ? { mode: options.mode } : {},
  );
}
let triggers = 0;

beforeEach(async () => {
  server = await publish();
});
afterEach(() => server.close());

interface Post {
  body?: string | Buffer;
  secret?: string;
  /** Seconds that the signature is old. */
  age?: number;
  headers?: Record<string, string | undefined>;
}

async function deliver(post: Post = {}, to = server): Promise<Response> {
  const { body = JSON.stringify(event), age = 0, headers = {} } = post;
  const timestamp = Math.floor(Date.now() / 1000) - age;
  const sent = {
    'content-type': 'application/json',
    'x-service-signature': signWebhook({ body, secret: post.secret ?? secret, timestamp }),
    ...headers,
  };
  const given = Object.entries(sent).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const bytes = typeof body === 'string' ? body : new Uint8Array(body);
  return await fetch(to.url, {
    method: 'POST',
    body: bytes,
    headers: Object.fromEntries(given),
  });
}

describe('a delivery', () => {
  const large = { ...event, data: { ...event.data, note: 'x'.repeat(1_000_000) } };

  it.each<[name: string, post: Post, status: number]>([
    ['that is valid', {}, 200],
    ['signed 899 s ago', { age: 899 }, 200],
    ['signed with the previous secret', { secret: 'previous-secret' }, 200],
    ['of 1 MB', { body: JSON.stringify(large) }, 200],
    ['that is no JSON by its content type', { headers: { 'content-type': 'text/plain' } }, 200],
  ])('%s starts the workflow', async (_name, post, status) => {
    const response = await deliver(post);
    expect(response.status).toBe(status);
    expect(server.executions).toHaveLength(1);
  });

  it.each<[name: string, post: Post, status: number, detail: RegExp]>([
    ['with another secret', { secret: 'another' }, 401, /None of the secrets signed this body/],
    ['that is stale', { age: 1000 }, 401, /1000 s in the past/],
    ['from the future', { age: -1000 }, 401, /\d+ s in the future/],
    [
      'without a signature',
      { headers: { 'x-service-signature': undefined } },
      401,
      /carries no header x-service-signature/,
    ],
    [
      'with a malformed signature',
      { headers: { 'x-service-signature': 't=now,v1=zz' } },
      401,
      /x-service-signature cannot be read/,
    ],
    [
      'that is not UTF-8',
      { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
      400,
      /not UTF-8/,
    ],
    [
      'that is signed but no JSON',
      { body: 'hello', headers: { 'content-type': 'text/plain' } },
      400,
      /not JSON/,
    ],
    ['that is empty', { body: '', headers: { 'content-type': 'text/plain' } }, 400, /it is empty/],
    ['that names no event', { body: '{"hello":"world"}' }, 400, /names no event/],
  ])('%s starts nothing', async (_name, post, status, detail) => {
    const response = await deliver(post);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const problem = (await response.json()) as Record<string, unknown>;
    expect(problem).toEqual({
      type: 'about:blank',
      title: status === 401 ? 'Unauthorized' : 'Bad Request',
      status,
      detail: expect.stringMatching(detail),
    });
    expect(server.executions).toEqual([]);
  });

  it('that was tampered with starts nothing', async () => {
    const body = JSON.stringify(event);
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = signWebhook({ body, secret, timestamp });
    const response = await deliver({
      body: body.replace('SPRING-25', 'SPRING-99'),
      headers: { 'x-service-signature': signature },
    });
    expect(response.status).toBe(401);
    expect(server.executions).toEqual([]);
  });

  it('of malformed JSON is refused by n8n before the node runs', async () => {
    const response = await deliver({ body: '{"id":' });
    expect(response.status).toBe(422);
    expect(server.executions).toEqual([]);
  });
});

describe('repeats', () => {
  it('are acknowledged and start nothing', async () => {
    await deliver();
    const repeats = [await deliver(), await deliver({ age: 600 })];
    expect(repeats.map(({ status }) => status)).toEqual([200, 200]);
    expect(server.executions).toHaveLength(1);
  });

  it('without an identifier are told by their body', async () => {
    const { id: _, ...anonymous } = event;
    await deliver({ body: JSON.stringify(anonymous) });
    await deliver({ body: JSON.stringify(anonymous) });
    await deliver({ body: JSON.stringify({ ...anonymous, data: { code: 'OTHER' } }) });
    expect(server.executions).toHaveLength(2);
  });

  it('that arrive at the same moment start the workflow once, and come again', async () => {
    const statuses = (await Promise.all([deliver(), deliver(), deliver()])).map(
      ({ status }) => status,
    );
    expect(server.executions).toHaveLength(1);
    expect(statuses.filter((status) => status === 200 || status === 503)).toHaveLength(3);
    expect((await deliver()).status).toBe(200);
    expect(server.executions).toHaveLength(1);
  });

  it('of what was handed over just now are to come again', async () => {
    const { engine } = world;
    const trigger = { type: 'screenAdvertisingTrigger', parameters: { events: [event.type] } };
    const signingSecret = String(engine.credentials.screenAdvertisingWebhookApi?.signingSecret);
    const first = await serveWebhook(engine, trigger);
    // This one has not read what the first one stores.
    const second = await serveWebhook(engine, trigger);
    expect((await deliver({ secret: signingSecret }, first)).status).toBe(200);
    const response = await deliver({ secret: signingSecret }, second);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The same event is being worked on at this moment. Deliver it again.',
    });
    expect(second.executions).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });

  it('are remembered over a restart, for the newest thousand events', async () => {
    const { engine } = world;
    const secret = String(engine.credentials.screenAdvertisingWebhookApi?.signingSecret);
    const trigger = {
      id: 'restarted',
      type: 'screenAdvertisingTrigger',
      parameters: { events: [event.type] },
    };
    const before = await serveWebhook(engine, trigger);
    await deliver({ secret }, before);
    await before.close();
    const [[key, data] = []] = Object.entries(before.staticData());
    const { deliveries } = data as { deliveries: [string, number][] };
    const older = Array.from({ length: 999 }, (_, index) => [`older ${index}`, Date.now() - 1000]);

    const after = await serveWebhook(engine, trigger, {
      stored: { [String(key)]: { deliveries: [...older, ...deliveries] } },
    });
    await deliver({ secret }, after);
    expect(after.executions).toEqual([]);
    await deliver({ secret, body: JSON.stringify({ ...event, id: 'evt_new' }) }, after);
    expect(after.executions).toHaveLength(1);
    const remembered = after.staticData()[String(key)] as { deliveries: [string, number][] };
    expect(remembered.deliveries).toHaveLength(1000);
    expect(remembered.deliveries[0]).toEqual(older[1]);
    await after.close();
  });

  it('start the workflow while it is being built', async () => {
    const editor = await publish({}, { mode: 'manual' });
    await deliver({}, editor);
    await deliver({}, editor);
    expect(editor.executions).toHaveLength(2);
    await editor.close();
  });
});

describe('events', () => {
  const other = { ...event, id: 'evt_2', type: 'user.registered' };
  const unknown = { ...event, id: 'evt_3', type: 'screen.installed' };

  it('that were not selected are acknowledged', async () => {
    expect((await deliver({ body: JSON.stringify(other) })).status).toBe(200);
    expect((await deliver({ body: JSON.stringify(unknown) })).status).toBe(200);
    expect(server.executions).toEqual([]);
  });

  it('of a later version pass when the option says so', async () => {
    const open = await publish({ options: { unknownEvents: true } });
    await deliver({ body: JSON.stringify(unknown) }, open);
    await deliver({ body: JSON.stringify(other) }, open);
    expect(open.executions.map(([item]) => item?.json.type)).toEqual(['screen.installed']);
    await open.close();
  });

  it('come out with their identifier, name, time and data', async () => {
    await deliver({ age: 60 });
    const [[item] = []] = server.executions;
    expect(item?.json).toEqual({
      id: 'evt_1',
      type: 'coupon.redeemed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/),
      data: event.data,
    });
    expect(Date.parse(String(item?.json.timestamp))).toBeLessThanOrEqual(Date.now() - 59_000);
  });

  it('come out with headers and the raw body when asked', async () => {
    const full = await publish({ options: { includeHeaders: true, includeRawBody: true } });
    await deliver({}, full);
    const [[item] = []] = full.executions;
    expect(item?.json).toMatchObject({
      headers: { 'content-type': 'application/json' },
      rawBody: JSON.stringify(event),
    });
    await full.close();
  });
});

describe('options', () => {
  it('a smaller tolerance refuses older signatures', async () => {
    const strict = await publish({ options: { toleranceSeconds: 30 } });
    expect((await deliver({ age: 60 }, strict)).status).toBe(401);
    await strict.close();
  });

  it('another algorithm is taken', async () => {
    const other = await publish({ options: { algorithm: 'sha512' } });
    expect((await deliver({}, other)).status).toBe(401);
    await other.close();
  });
});

describe('a receiver that is not set up', () => {
  it.each<[string, StoredCredentials]>([
    ['without a secret', { screenAdvertisingWebhookApi: { signingSecret: '' } }],
    ['without a credential', {}],
  ])('%s refuses everything, so that the service delivers again later', async (_name, stored) => {
    const closed = await publish({}, { stored });
    const response = await deliver({}, closed);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      detail:
        'The receiver is not set up to check the signature. Its signing secret, credential or options need attention.',
    });
    expect(closed.executions).toEqual([]);
    await closed.close();
  });
});

describe("the sandbox's own deliveries", () => {
  it.each([
    'user.registered',
    'campaign.paid',
    'coupon.redeemed',
    'campaign_request.created',
    'campaign_request.rejected',
  ] as const)('%s starts the workflow once, even when its answer gets lost', async (name) => {
    const trigger = await serveWebhook(world.engine, {
      id: `sandbox-${name}`,
      type: 'screenAdvertisingTrigger',
      parameters: { events: [name] },
    });
    const webhook = world.sandbox.webhooks.add({ url: trigger.url });
    const [delivery] = await world.sandbox.fire(name);
    await world.sandbox.deliveries.redeliver(delivery?.id ?? '');
    expect(trigger.executions.map(([item]) => item?.json)).toEqual([
      expect.objectContaining({ id: delivery?.eventId, type: name }),
    ]);
    world.sandbox.webhooks.remove(webhook.id);
    await trigger.close();
  });
});
