import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { rawResponse, startActor } from '../relay/support/actor.ts';
import { type Running, start } from '../relay/support/running-relay.ts';
import { n8nLogger } from './engine/n8n.ts';
import { fire, live, openWorkflow, type RelayWorkflow, started } from './relay-bench.ts';
import { openGate } from './relay-gate.ts';

let running: Running;
let original: RelayWorkflow;
/** What the trigger wrote to n8n's log. */
let log: string[];

beforeEach(async () => {
  log = [];
  for (const level of ['error', 'warn', 'info'] as const) {
    jest.spyOn(n8nLogger, level).mockImplementation((message) => {
      log.push(`${level}: ${message}`);
    });
  }
  running = await start();
  original = await openWorkflow(running);
  await original.n8n.publish();
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** As from a backup: same instance ID, workflow, key and static data, but another WEBHOOK_URL. */
const restored = (staticData = original.database.staticData) =>
  openWorkflow(running, { staticData });

const name = '"Screen Advertising Trigger" of the workflow "Workflow"';
const urlOf = ({ webhookUrl }: RelayWorkflow) => `${webhookUrl}/webhook/1/webhook`;
const targets = async () => (await live(running)).map(({ target_url }) => target_url).sort();

const copied = (other: RelayWorkflow) =>
  `warn: Another n8n with the same instance ID and connector key receives events for ${name} at ${urlOf(other)}, so each event starts the workflow in both. If this n8n is a copy, such as a restored backup, unpublish the workflow here. To keep both, create another connector key at the relay, enter it in the credential, and publish the workflow again.`;

describe('a copy of an n8n, restored from a backup', () => {
  it.each(['init', 'activate', 'update'] as const)(
    'takes no event from the original (%s), and says in its log that both receive',
    async (activation) => {
      const copy = await restored();
      await copy.n8n.publish(activation);
      const ids = [];
      for (let count = 0; count < 10; count += 1) ids.push((await fire(running)).id);
      expect([started(original.server), started(copy.server)]).toEqual([ids, ids]);
      expect(log).toEqual([copied(original)]);
    },
  );

  it('leaves the subscription of the original when its workflow is unpublished', async () => {
    const copy = await restored();
    await copy.n8n.unpublish();
    expect(await targets()).toEqual([urlOf(original)]);
    await copy.n8n.publish();
    await copy.n8n.unpublish();
    expect(await targets()).toEqual([urlOf(original)]);
  });

  it('has what the original has not received delivered to the original only', async () => {
    const door = await openGate(original.server.url);
    original.webhookUrl = door.url;
    await original.n8n.publish('init');
    await door.shut();
    const { id } = await fire(running);
    await door.open();
    const copy = await restored();
    await copy.n8n.publish('init');
    await running.relay.clock.advance(60 * 60_000);
    expect([started(original.server), started(copy.server)]).toEqual([[id], []]);
  });

  it('is on its own with another connector key', async () => {
    const copy = await restored();
    await copy.n8n.publish('init');
    const { connectorKey } = await running.relay.tokens.create('main', 'staging');
    Object.assign(copy.engine.credentials.screenAdvertisingRelayApi ?? {}, { connectorKey });
    log = [];
    await copy.n8n.unpublish();
    await copy.n8n.publish();
    await original.n8n.unpublish();
    await original.n8n.publish();
    expect(await targets()).toEqual([urlOf(original), urlOf(copy)].sort());
    expect(log).toEqual([]);
  });
});

describe('an n8n that moved', () => {
  it('has one subscription, if its old address still leads to it', async () => {
    const door = await openGate(original.server.url);
    original.webhookUrl = door.url;
    await original.n8n.publish('init');
    expect(await targets()).toEqual([urlOf(original)]);
    original.webhookUrl = new URL(original.server.url).origin;
    await original.n8n.publish('init');
    expect(await targets()).toEqual([urlOf(original)]);
    expect(log).toEqual([]);
  });

  it.each([
    ['redirects to the new one', (to: string) => rawResponse(301, { location: to })],
    ['is gone for good (410)', () => rawResponse(410)],
  ])('has one subscription, if its old address %s', async (_what, response) => {
    const old = await startActor([rawResponse(200)]);
    const moving = await openWorkflow(running, { webhookId: '2' });
    moving.webhookUrl = new URL(old.url).origin;
    await moving.n8n.publish();
    moving.webhookUrl = new URL(moving.server.url).origin;
    old.answers.push(response(`${moving.webhookUrl}/webhook/2/webhook`));
    await moving.n8n.publish('init');
    expect(await targets()).toEqual(
      [urlOf(original), `${moving.webhookUrl}/webhook/2/webhook`].sort(),
    );
  });

  it('keeps both for five days, if nothing responds at its old address', async () => {
    const door = await openGate(original.server.url);
    original.webhookUrl = door.url;
    await original.n8n.publish('init');
    await door.shut();
    const before = urlOf(original);
    original.webhookUrl = new URL(original.server.url).origin;
    await original.n8n.publish('init');
    expect(await targets()).toEqual([before, urlOf(original)].sort());
    expect(log).toEqual([
      `info: ${name} received events at ${before} before. Nothing responds there now. The relay keeps that subscription until deliveries have failed for five days. If no n8n uses that address anymore, switch the subscription off at the relay.`,
    ]);
    for (let days = 0; days <= 5; days += 1) {
      await fire(running);
      await running.relay.clock.advance(24 * 3_600_000);
    }
    expect(await targets()).toEqual([urlOf(original)]);
    expect(started(original.server)).toHaveLength(6);
  });
});
