import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import type { INodeParameters } from 'n8n-workflow';
import type { StoredCredentials } from './engine/credentials-helper.ts';
import { Engine } from './engine/engine.ts';
import { serveWebhook, type WebhookOptions, type WebhookServer } from './engine/webhook-server.ts';
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
const servers: WebhookServer[] = [];
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function publish(
  parameters: INodeParameters = {},
  { stored = credentials, trigger = `trigger-${++triggers}`, ...options }: PublishOptions = {},
): Promise<WebhookServer> {
  // An engine loads the package anew, as a process of n8n does.
  const opened = await serveWebhook(
    await Engine.start(stored),
    {
      id: trigger,
      type: 'screenAdvertisingTrigger',
      parameters: { events: [event.type], ...parameters },
    },
    options,
  );
  servers.push(opened);
  return opened;
}
let triggers = 0;

interface PublishOptions extends WebhookOptions {
  stored?: StoredCredentials;
  /** Identifies the trigger; every one of these tests is one of its own unless given. */
  trigger?: string;
}

beforeEach(async () => {
  server = await publish();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((opened) => opened.close()));
});

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

  it('that arrive while n8n creates the execution are to come again', async () => {
    const creating = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const slow = await publish(
      {},
      {
        onExecution: async () => {
          asked.resolve();
          await creating.promise;
        },
      },
    );
    const first = deliver({}, slow);
    await asked.promise;
    const refused = await deliver({}, slow);
    expect(await refused.json()).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The same event is being worked on at this moment. Deliver it again.',
    });
    creating.resolve();
    expect([(await first).status, (await deliver({}, slow)).status]).toEqual([200, 200]);
    expect(slow.executions).toHaveLength(1);
  });

  it('of what n8n could not execute start the workflow', async () => {
    let isAway = true;
    const failing = await publish(
      {},
      {
        onExecution: () => {
          if (isAway) throw new Error('The queue is away.');
        },
      },
    );
    expect((await deliver({}, failing)).status).toBe(500);
    isAway = false;
    expect((await deliver({}, failing)).status).toBe(200);
    expect(failing.executions).toHaveLength(1);
  });

  describe('of parallel deliveries', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      JSON.stringify({ ...event, id: `evt_parallel_${index}` }),
    );

    /** Delivers all at once; n8n has read its database for each before it writes the first. */
    async function deliverAtOnce(targets: readonly WebhookServer[]): Promise<void> {
      await Promise.all(many.map((body, at) => deliver({ body }, targets[at % targets.length])));
    }

    function together(count: number): () => Promise<void> {
      const all = Promise.withResolvers<void>();
      let waiting = 0;
      return async () => {
        waiting += 1;
        if (waiting === count) all.resolve();
        await all.promise;
      };
    }

    it('are known to the process that took them, and to one that starts afterwards', async () => {
      const trigger = `trigger-${++triggers}`;
      const database = { staticData: '{}' };
      const busy = await publish({}, { trigger, database, onExecution: together(many.length) });
      await deliverAtOnce([busy]);
      expect(busy.executions).toHaveLength(many.length);
      const restarted = await publish({}, { trigger, database });
      for (const body of many) {
        expect((await deliver({ body }, busy)).status).toBe(200);
        expect((await deliver({ body }, restarted)).status).toBe(200);
      }
      expect(busy.executions).toHaveLength(many.length);
      expect(restarted.executions).toEqual([]);
    });

    it('to several processes are known to all of them after one more each', async () => {
      const trigger = `trigger-${++triggers}`;
      const shared = {
        trigger,
        database: { staticData: '{}' },
        onExecution: together(many.length),
      };
      const processes = await Promise.all([publish({}, shared), publish({}, shared)]);
      await deliverAtOnce(processes);
      for (const [index, process] of processes.entries()) {
        await deliver({ body: JSON.stringify({ ...event, id: `evt_more_${index}` }) }, process);
      }
      const executed = () => processes.flatMap(({ executions }) => executions).length;
      expect(executed()).toBe(many.length + 2);
      for (const process of processes) {
        for (const body of many) await deliver({ body }, process);
      }
      expect(executed()).toBe(many.length + 2);
    });
  });

  it('are remembered over a restart, for the newest two thousand events', async () => {
    const trigger = `trigger-${++triggers}`;
    const database = { staticData: '{}' };
    const stored = () => {
      const [[node, data] = []] = Object.entries(JSON.parse(database.staticData));
      return { node: String(node), keys: (data as { deliveries: string }).deliveries.split(' ') };
    };
    const before = await publish({}, { trigger, database });
    await deliver({}, before);
    const { node, keys } = stored();
    const older = Array.from(
      { length: 1999 },
      (_, index) => `older${index}:${Math.floor(Date.now() / 1000)}`,
    );
    database.staticData = JSON.stringify({ [node]: { deliveries: [...older, ...keys].join(' ') } });

    const after = await publish({}, { trigger, database });
    await deliver({}, after);
    expect(after.executions).toEqual([]);
    await deliver({ body: JSON.stringify({ ...event, id: 'evt_new' }) }, after);
    expect(after.executions).toHaveLength(1);
    expect(stored().keys).toHaveLength(2000);
    expect(stored().keys.slice(0, 1)).toEqual(older.slice(1, 2));
    expect(database.staticData.length).toBeLessThan(60_000);
  });

  it('start the workflow while it is being built', async () => {
    const editor = await publish({}, { mode: 'manual' });
    await deliver({}, editor);
    await deliver({}, editor);
    expect(editor.executions).toHaveLength(2);
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
  });
});

describe('options', () => {
  it('a smaller tolerance refuses older signatures', async () => {
    const strict = await publish({ options: { toleranceSeconds: 30 } });
    expect((await deliver({ age: 60 }, strict)).status).toBe(401);
  });

  it('another algorithm is taken', async () => {
    const other = await publish({ options: { algorithm: 'sha512' } });
    expect((await deliver({}, other)).status).toBe(401);
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
