/*
 * Each test has two of whatever the nodes keep apart. It fails when a part of a key is left
 * out, or what one half knows is taken for the other.
 */
import { createServer } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Running, start } from '../relay/support/running-relay.ts';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';
import { Engine } from './engine/engine.ts';
import { createPoller } from './engine/poller.ts';
import { created, ids, usePolledService } from './polled-service.ts';
import { openWorkflow } from './relay-bench.ts';
import { SimulatedTime } from './simulated-time.ts';
import { useWebhooks } from './webhook-bench.ts';

let running: Running;
beforeAll(async () => {
  running = await start();
});

const service = usePolledService();
const webhooks = useWebhooks();

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

describe('a list that takes several polls', () => {
  const path = '/campaign-requests';
  /** The service lets so many requests through, and then none for a while. */
  const allow = (requests: number) =>
    service.world.sandbox.faults.add({
      ...{ fault: 'status', status: 429, path, headers: { 'retry-after': '60' } },
      ...{ skip: requests, times: 1 },
    });

  it('starts nothing before its first end, even in the third poll', async () => {
    for (let count = 0; count < 260; count += 1) service.add();
    const node = { id: 'slow', type: 'screenAdvertisingPollingTrigger' };
    const parameters = { authentication: 'apiKey', events: [created] };
    const options = { budgetMs: 36_000 };
    const poller = createPoller(service.world.engine, { ...node, parameters }, options);
    for (let poll = 0; poll < 3; poll += 1) {
      allow(2);
      expect(await poller.poll()).toEqual([]);
      await service.world.sandbox.clock.advance(60_000);
    }
    expect(await poller.poll()).toEqual([]);
    const { id } = service.add();
    expect(ids(await poller.poll())).toEqual([id]);
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
