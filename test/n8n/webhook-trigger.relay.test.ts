import { beforeEach, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { eventually } from '../relay/support/eventually.ts';
import { type Running, start } from '../relay/support/running-relay.ts';
import { fire, live, openWorkflow, type RelayWorkflow, started } from './relay-bench.ts';

let running: Running;
let workflow: RelayWorkflow;

beforeEach(async () => {
  running = await start();
  workflow = await openWorkflow(running);
});

describe('an event that the relay delivers', () => {
  beforeEach(() => workflow.n8n.publish());

  it('arrives with its ID, name, time and data', async () => {
    const event = await fire(running);
    expect(workflow.server.executions).toEqual([
      [{ json: { ...event, timestamp: '2027-03-01T09:00:00.000Z' } }],
    ]);
  });

  it('without an ID gets one from the relay, and equal ones count as two', async () => {
    const event = { type: 'coupon.redeemed', data: { code: 'SPRING-25' } };
    await fire(running, event.type, event);
    await running.relay.clock.advance(16 * 60_000);
    await fire(running, event.type, event);
    const { data } = (await running.call('GET', '/events')).body;
    const ids = data.map(({ id }: { id: string }) => id).reverse();
    expect(ids).toHaveLength(2);
    expect(started(workflow.server)).toEqual(ids);
  });

  it.each([
    ['of the service', { id: 'evt_own' }],
    ['of the relay alone', {}],
  ])(
    'delivered again, because its response got lost, starts nothing; its ID is that %s',
    async (_what, identity) => {
      await fire(running, 'coupon.redeemed', {
        ...identity,
        type: 'coupon.redeemed',
        data: { code: 'SPRING-25' },
      });
      const [{ id }] = (await running.call('GET', '/deliveries')).body.data;
      expect((await running.call('POST', `/deliveries/${id}/replay`)).status).toBe(202);
      await running.relay.clock.advance(1);
      const { attempts } = (await running.call('GET', '/deliveries')).body.data[0];
      expect(attempts.map(({ status }: { status: number }) => status)).toEqual([200, 200]);
      expect(workflow.server.executions).toHaveLength(1);
    },
  );

  it('waits at the relay while n8n is down', async () => {
    await workflow.server.close();
    await fire(running);
    const [{ state, attempts }] = (await running.call('GET', '/deliveries')).body.data;
    expect([state, attempts[0].status]).toEqual(['pending', null]);
  });
});

describe('a delivery from a stranger', () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'coupon.redeemed', data: {} });
  const send = (headers: Record<string, string>) =>
    fetch(workflow.server.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'webhook-id': 'evt_forged', ...headers },
    });

  it.each<[what: string, secret: string | undefined]>([
    ['without a signature', undefined],
    ['signed with a guess', 'whsec_guess'],
    ['signed with the secret of another key', 'other'],
  ])('%s is refused with 401 and leaves nothing behind', async (_what, given) => {
    await workflow.n8n.publish();
    const other = await running.relay.tokens.create('main', 'other');
    const secret = given === 'other' ? other.signingSecret : given;
    const timestamp = running.relay.clock.now() / 1000;
    const response = await send(
      secret === undefined
        ? {}
        : { 'x-service-signature': signWebhook({ body, secret, timestamp }) },
    );
    expect(response.status).toBe(401);
    expect([workflow.server.executions, workflow.server.failures]).toEqual([[], []]);
  });

  it('is refused with 503 when the key cannot be read, so that the relay retries', async () => {
    Object.assign(workflow.engine.credentials.screenAdvertisingRelayApi ?? {}, {
      connectorKey: 'rly_half',
    });
    expect((await send({})).status).toBe(503);
    expect([workflow.server.executions, workflow.server.failures]).toEqual([[], []]);
  });
});

describe('an editor that listens for a test event', () => {
  it('gets the newest stored event of the chosen kinds at once', async () => {
    await fire(running);
    const newest = await fire(running);
    await fire(running, 'campaign.paid');
    const stop = await workflow.n8n.listen();
    await eventually(() => workflow.editor.executions.length > 0);
    expect(started(workflow.editor)).toEqual([newest.id]);
    expect(workflow.editor.executions[0]?.[0]?.json).not.toHaveProperty('isSample');
    expect(await live(running)).toMatchObject([
      { name: expect.stringMatching(/^Workflow \(n8n, test \w{16}\)$/) },
    ]);
    await stop();
    expect(await live(running)).toEqual([]);
  });

  it('gets a marked sample when there is none', async () => {
    const stop = await workflow.n8n.listen();
    await eventually(() => workflow.editor.executions.length > 0);
    await stop();
    expect(workflow.editor.executions[0]?.[0]?.json).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'coupon.redeemed',
      timestamp: '2027-03-01T09:00:00.000Z',
      data: expect.objectContaining({ code: expect.any(String) }),
      isSample: true,
    });
  });

  it('gets it only after n8n has said that it listens', async () => {
    const { promise: pause, resolve: said } = Promise.withResolvers<void>();
    const slow = await openWorkflow(running, { pause });
    const stop = await slow.n8n.listen();
    expect([await live(running), slow.editor.executions]).toEqual([[expect.anything()], []]);
    said();
    await eventually(() => slow.editor.executions.length > 0);
    await stop();
  });

  it('changes nothing about the published workflow', async () => {
    await workflow.n8n.publish();
    const before = await live(running);
    await (await workflow.n8n.listen())();
    expect(await live(running)).toEqual(before);
  });
});

it('a test requested from the relay starts no published workflow', async () => {
  await workflow.n8n.publish();
  const [{ id } = { id: '' }] = await live(running);
  expect((await running.call('POST', `/subscriptions/${id}/test`)).body).toMatchObject({
    delivered: true,
    status: 200,
    is_sample: true,
  });
  expect(workflow.server.executions).toEqual([]);
});
