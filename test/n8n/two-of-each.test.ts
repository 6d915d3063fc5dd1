/*
 * Each test has two of whatever the nodes keep apart. It fails when a part of a key is left
 * out, or what one half knows is taken for the other.
 */
import { createServer } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Running, start } from '../relay/support/running-relay.ts';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';
import { eventually } from '../support/eventually.ts';
import { Engine } from './engine.ts';
import { createPoller } from './poller.ts';
import { created, ids, usePolledService } from './polling-bench.ts';
import { createMain } from './publishing.ts';
import { openWorkflow } from './relay-workflow.ts';
import { SimulatedTime } from './simulated-time.ts';
import { WebhookBench } from './webhook-bench.ts';

let running: Running;
beforeAll(async () => {
  running = await start();
});

const service = usePolledService();
const webhooks = new WebhookBench();
beforeEach(() => webhooks.begin());

describe('two triggers of one workflow', () => {
  it('are started by one event each', async () => {
    const engine = await Engine.start({
      screenAdvertisingWebhookApi: { signingSecret: 'current-secret' },
    });
    for (const server of [
      await webhooks.publish({}, { engine }),
      await webhooks.publish({}, { engine }),
    ]) {
      await webhooks.deliver({}, server);
      expect(server.executions).toHaveLength(1);
    }
  });

  it('poll at the same time', async () => {
    const pollers = [await service.published([created]), await service.published([created])];
    const { id } = service.add();
    const found = await Promise.all(pollers.map((poller) => poller.poll()));
    expect(found.map(ids)).toEqual([[id], [id]]);
  });

  it('own one subscription each, though one was made from the stored data of the other', async () => {
    const identity = { id: 'workflow-1', name: 'Coupons' };
    const ownerOf = async (webhookId: string, staticData = '{}') => {
      const { n8n, database } = await openWorkflow(running, { webhookId, staticData, identity });
      await n8n.publish();
      return database.staticData;
    };
    const one = await ownerOf('1');
    const other = await ownerOf('2', one);
    const owner = /"owner":"(\w{16})"/;
    expect(owner.exec(other)?.[1]).not.toBe(owner.exec(one)?.[1]);
  });
});

describe('a list that is read in three polls', () => {
  const parameters = { authentication: 'apiKey', events: [created] };

  /** A trigger that polled before there were 260 records, and how it polls until it has read them. */
  async function slow(id: string) {
    const { sandbox, engine } = service;
    const node = { id, type: 'screenAdvertisingPollingTrigger', parameters };
    const poller = createPoller(engine, node, { budgetMs: 36_000 });
    await poller.poll();
    for (let count = 0; count < 260; count += 1) service.add();
    const refusal = { fault: 'status', status: 429, headers: { 'retry-after': '60' } } as const;
    /** The service lets two requests of each poll through, and then none for a while. */
    const poll = async () => {
      sandbox.faults.clear();
      sandbox.faults.add({ ...refusal, path: '/campaign-requests', skip: 2 });
      const found = await poller.poll();
      sandbox.faults.clear();
      await sandbox.clock.advance(120_000);
      return found;
    };
    return { poller, poll };
  }

  it('starts nothing before its end, if it is the first of a credential', async () => {
    const { poller, poll } = await slow('of another credential');
    const { credentials } = service.engine;
    const { screenAdvertisingApi: before } = credentials;
    // As if it led to another service.
    credentials.screenAdvertisingApi = { ...before, baseUrl: `${service.baseUrl}/` };
    closeAfterTest(() => Object.assign(credentials, { screenAdvertisingApi: before }));
    for (let polls = 0; polls < 3; polls += 1) expect(await poll()).toEqual([]);
    await poller.poll();
    const { id } = service.add();
    expect(ids(await poller.poll())).toEqual([id]);
  });

  it('forgets none of 20,001 records before its end', async () => {
    const { poller, poll } = await slow('of many');
    expect(await poller.poll()).toHaveLength(260);
    // As another process has stored it since.
    const stored = JSON.stringify(poller.staticData()).replace('"nth":2', '"nth":3');
    const others = Array.from({ length: 20_001 }, (_, nth) => `"cr_other${nth}":""`);
    poller.store(JSON.parse(stored.replace('"seen":{', `"seen":{${others.join()},`)));
    for (let polls = 0; polls < 3; polls += 1) expect(await poll()).toEqual([]);
  });
});

it('a type for which a poll of the relay had no time continues at its own position', async () => {
  const [paid, redeemed] = ['campaign.paid', 'coupon.redeemed'];
  const asked: string[] = [];
  let isBusy = false;
  const relayed = createServer(({ url = '' }, response) => {
    const query = new URL(url, 'http://relay.example').searchParams;
    const [type, after] = [query.get('type') ?? '', query.get('after') ?? ''];
    asked.push(`${type} ${after}`);
    if (isBusy && type === redeemed) {
      response.writeHead(429, { 'retry-after': '60' }).end();
      return;
    }
    const position = after === 'newest' ? (type === paid ? '3' : '7') : after;
    const pagination = { cursor: null, has_more: false, position };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], pagination }));
  });
  const { port, close } = await listen(relayed);
  closeAfterTest(close);
  const { connectorKey } = running.key;
  const screenAdvertisingRelayApi = { baseUrl: `http://127.0.0.1:${port}`, connectorKey };
  const engine = await Engine.start(
    { screenAdvertisingRelayApi },
    new SimulatedTime(running.relay.clock),
  );
  const parameters = { authentication: 'relay', relayEvents: [paid, redeemed] };
  const node = { id: 'relayed', type: 'screenAdvertisingPollingTrigger', parameters };
  const poller = createPoller(engine, node, { budgetMs: 36_000 });
  await poller.poll();
  isBusy = true;
  await poller.poll();
  isBusy = false;
  // The pause that the relay asked for is over.
  await running.relay.clock.advance(120_000);
  asked.length = 0;
  await poller.poll();
  expect(asked).toEqual([`${paid} 3`, `${redeemed} 7`]);
});

it('the response that asks for another token is closed, and the next one read', async () => {
  const isOpen: boolean[] = [];
  const server = createServer(({ url = '' }, response) => {
    const json = { 'content-type': 'application/json' };
    if (url.endsWith('/oauth/token')) {
      const token = { access_token: `sat_${isOpen.length}`, token_type: 'bearer' };
      response.writeHead(200, json).end(JSON.stringify({ ...token, expires_in: 3_600 }));
      return;
    }
    const nth = isOpen.push(true) - 1;
    response.on('close', () => {
      isOpen[nth] = false;
    });
    if (nth > 0) {
      response.writeHead(200, json).end('{"data":{"user_id":"u1"}}');
      return;
    }
    // A body that does not end.
    const send = () => {
      if (isOpen[0]) response.write('x'.repeat(65_536), send);
    };
    response.writeHead(401, json);
    send();
  });
  const { port, close } = await listen(server);
  closeAfterTest(close);
  const baseUrl = `http://127.0.0.1:${port}/api/v1`;
  const engine = await Engine.start({
    screenAdvertisingClientCredentialsApi: { baseUrl, clientId: 'id', clientSecret: 'secret' },
  });
  const parameters = {
    ...{ authentication: 'clientCredentials', resource: 'user', operation: 'lookUp' },
    ...{ email: 'lead@example.com', options: { timeout: 120 } },
  };
  const { error } = await engine.runNode({ type: 'screenAdvertising', parameters });
  expect(error).toBeUndefined();
  await eventually(() => !isOpen.includes(true), 'both responses to be closed');
  expect(isOpen).toHaveLength(2);
});

it('each request of unpublishing ends after 10 s', async () => {
  const pending = new Set<number>();
  const limits: [method: string, shortestMs: number][] = [];
  const record = {
    ...{ id: `sub_${'0'.repeat(32)}_1`, target_url: 'https://n8n.example/', events: [] },
    ...{ name: null, state: 'active', off_reason: null, max_concurrency: 4 },
    created_at: '2027-03-01T09:00:00.000Z',
  };
  const relay = createServer(({ method = '' }, response) => {
    limits.push([method, Math.min(...pending)]);
    const body = { data: [record], pagination: { cursor: null, has_more: false } };
    if (method === 'DELETE') response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { port, close } = await listen(relay);
  closeAfterTest(close);
  const { connectorKey } = running.key;
  const screenAdvertisingRelayApi = { baseUrl: `http://127.0.0.1:${port}`, connectorKey };
  const engine = await Engine.start(
    { screenAdvertisingRelayApi },
    {
      now: () => 0,
      // No limit passes.
      sleep: (ms, signal) =>
        new Promise((_resolve, reject) => {
          pending.add(ms);
          signal?.addEventListener('abort', () => {
            pending.delete(ms);
            reject(signal.reason);
          });
        }),
    },
  );
  const parameters = { delivery: 'relay', events: ['coupon.redeemed'] };
  const node = { id: '1', webhookId: '1', type: 'screenAdvertisingTrigger', name: 'Trigger' };
  const main = createMain(
    engine,
    { ...node, parameters },
    { database: { staticData: '{}' }, webhookUrl: () => 'https://n8n.example' },
  );
  await main.unpublish();
  expect(limits).toEqual([
    ['GET', 10_000],
    ['DELETE', 10_000],
  ]);
});
