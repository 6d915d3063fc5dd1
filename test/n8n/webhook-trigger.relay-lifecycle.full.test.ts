import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Running, start } from '../relay/support/running-relay.ts';
import { fire, live, openWorkflow, type RelayWorkflow, started } from './relay-bench.ts';
import { openGate } from './relay-gate.ts';

let running: Running;
let workflow: RelayWorkflow;

beforeEach(async () => {
  running = await start();
  workflow = await openWorkflow(running);
});

/** Exactly one subscription, and an event starts the workflow exactly once. */
async function expectOne(of = workflow, type = 'coupon.redeemed'): Promise<string> {
  const subscriptions = await live(running);
  expect(subscriptions).toEqual([
    expect.objectContaining({
      target_url: `${of.webhookUrl}/webhook/1/webhook`,
      events: of.parameters.events,
    }),
  ]);
  const before = started(of.server);
  const { id } = await fire(running, type);
  expect(started(of.server)).toEqual([...before, id]);
  return subscriptions[0]?.id ?? '';
}

describe('a workflow that gets its events through a relay', () => {
  it('is subscribed under its name when it is published, and unsubscribed when it is unpublished', async () => {
    await workflow.n8n.publish();
    await expectOne();
    expect(await live(running)).toMatchObject([
      { name: expect.stringMatching(/^Workflow \(n8n \w{16}\)$/) },
    ]);
    await workflow.n8n.unpublish();
    expect(await live(running)).toEqual([]);
    await workflow.n8n.publish();
    await expectOne();
  });

  it('is subscribed to other events when others are chosen', async () => {
    await workflow.n8n.publish();
    await workflow.n8n.unpublish();
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid', 'user.registered'] };
    await workflow.n8n.publish('update');
    await expectOne(workflow, 'campaign.paid');
    const before = started(workflow.server);
    await fire(running, 'coupon.redeemed');
    expect(started(workflow.server)).toEqual(before);
  });

  it('is subscribed once when two main processes start at the same moment', async () => {
    const mains = [workflow.n8n, await workflow.secondMain()];
    await Promise.all(mains.map((main) => main.publish('init')));
    await expectOne();
    workflow.webhookUrl = (await openGate(workflow.server.url)).url;
    await Promise.all(mains.map((main) => main.publish('init')));
    workflow.webhookUrl = new URL(workflow.server.url).origin;
    await Promise.all(mains.map((main) => main.publish('init')));
    await expectOne();
  });

  it('is subscribed once after n8n was killed before it stored the subscription', async () => {
    await workflow.n8n.killedWhilePublishing();
    await workflow.n8n.publish('init');
    await expectOne();
    await workflow.n8n.unpublish();
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid'] };
    await workflow.n8n.killedWhilePublishing('update');
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid', 'coupon.redeemed'] };
    await workflow.n8n.publish('init');
    await expectOne();
  });

  it.each<[what: string, end: (id: string) => Promise<unknown>]>([
    ['switched off by hand', (id) => running.relay.subscriptions.off(id)],
    ['deleted', (id) => running.call('DELETE', `/subscriptions/${id}`)],
    ['ended with its key', () => running.relay.tokens.revoke('main', nameOfKey)],
  ])('is subscribed again when it starts after its subscription was %s', async (_what, end) => {
    const { connectorKey } = await running.relay.tokens.create('main', nameOfKey);
    const own = await openWorkflow(running, { credential: { connectorKey } });
    await own.n8n.publish();
    await end((await live(running))[0]?.id ?? '');
    expect(await live(running)).toEqual([]);
    if (end.length === 0) {
      const stored = own.engine.credentials.screenAdvertisingRelayApi;
      Object.assign(stored ?? {}, { connectorKey: running.key.connectorKey });
    }
    await own.n8n.publish('init');
    await expectOne(own);
  });
});

const nameOfKey = 'own';

describe('a key that was rotated', () => {});

describe('a copy of a workflow', () => {
  it.each([
    ['was duplicated in the same n8n', { id: 'workflow-2', name: 'Copy' }],
    ['was imported with what n8n had stored of the original', { id: 'workflow-3', name: 'Import' }],
  ])('that %s has a separate subscription', async (_what, identity) => {
    await workflow.n8n.publish();
    const { staticData } = workflow.database;
    const copy = await openWorkflow(running, { webhookId: '2', identity, staticData });
    await copy.n8n.publish();
    expect(await live(running)).toHaveLength(2);
    const { id } = await fire(running);
    expect([started(workflow.server), started(copy.server)]).toEqual([[id], [id]]);
    await copy.n8n.unpublish();
    await expectOne();
  });
});

it('a workflow from before the relay existed makes no request when it is published', async () => {
  const old = await openWorkflow(running, { credential: { baseUrl: 'http://127.0.0.1:1' } });
  old.parameters = { delivery: 'direct', events: ['coupon.redeemed'] };
  await old.n8n.publish();
  await old.n8n.unpublish();
  expect(await live(running)).toEqual([]);
});
