import { beforeEach, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { ignoredHeaderName } from '@screen-advertising/core/webhooks';
import { requestHeaders } from '../../packages/relay/src/targets/request-headers.ts';
import { type Running, start } from '../relay/support/running-relay.ts';
import { eventually } from '../support/eventually.ts';
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
  ])('starts it again when a person replays it; its ID is that %s', async (_what, identity) => {
    await fire(running, 'coupon.redeemed', { ...event, ...identity });
    const [{ id }] = (await running.call('GET', '/deliveries')).body.data;
    expect((await running.call('POST', `/deliveries/${id}/replay`)).status).toBe(202);
    await running.relay.clock.advance(1);
    const [first, second] = started(workflow.server);
    expect([first, workflow.server.executions.length]).toEqual([second, 2]);
  });

  it('and that the workflow does not want shows as ignored at the relay', async () => {
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid'] };
    await fire(running);
    const [{ state, reason }] = (await running.call('GET', '/deliveries')).body.data;
    expect([state, reason]).toEqual(['ignored', 'not_wanted']);
    expect(workflow.server.executions).toEqual([]);
  });

  it('waits at the relay while n8n is down', async () => {
    await workflow.server.close();
    await fire(running);
    const [{ state, attempts }] = (await running.call('GET', '/deliveries')).body.data;
    expect([state, attempts[0].status]).toEqual(['pending', null]);
  });
});

const event = { type: 'coupon.redeemed', data: { code: 'SPRING-25' } };

const send = (body: string, headers: Record<string, string>) =>
  fetch(workflow.server.url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'webhook-id': 'evt_forged', ...headers },
  });

describe('a recorded delivery', () => {
  /** Without an ID, so that the relay's is the only one. */
  const body = JSON.stringify({ type: 'coupon.redeemed', data: { code: 'SPRING-25' } });
  const signed = (id: string, signedBody = body) =>
    requestHeaders({
      id,
      body: Buffer.from(signedBody),
      secrets: [running.key.signingSecret],
      now: running.relay.clock.now(),
    });

  it('starts the workflow once for each ID that the relay signed, and once for each replay', async () => {
    const ids = ['evt_1', 'evt_1', 'evt_1_r1', 'evt_1_r1', 'evt_1_r2', 'evt_2', 'test_evt_1'];
    const responses = [];
    for (const id of ids) responses.push(await send(body, signed(id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(ids.length).fill(200));
    expect(responses.map(({ headers }) => headers.get(ignoredHeaderName))).toEqual([
      ...[null, 'duplicate', null, 'duplicate', null, null, 'sample'],
    ]);
    expect(started(workflow.server)).toEqual(['evt_1', 'evt_1', 'evt_1', 'evt_2']);
    const forged = { ...signed('evt_1'), 'webhook-id': 'evt_1_r3' };
    expect((await send(body, forged)).status).toBe(401);
  });

  it('that the workflow does not want is acknowledged as such', async () => {
    const other = JSON.stringify({ id: 'evt_1', type: 'campaign.paid', data: {} });
    const response = await send(other, signed('evt_1', other));
    expect([response.status, response.headers.get(ignoredHeaderName)]).toEqual([200, 'not_wanted']);
    expect(started(workflow.server)).toEqual([]);
  });

  it('is not a test, although someone adds the mark of one', async () => {
    const headers = signed('evt_1');
    const marked = { ...headers, 'webhook-id': 'test_evt_1' };
    expect((await send(body, marked)).status).toBe(401);
    expect((await send(body, { ...headers, 'x-relay-test': 'stored' })).status).toBe(200);
    expect(started(workflow.server)).toEqual(['evt_1']);
  });

  it('stays a test, although someone takes the mark of one away', async () => {
    const { 'x-relay-test': _, ...headers } = { ...signed('test_evt_1'), 'x-relay-test': 'stored' };
    expect((await send(body, headers)).status).toBe(200);
    expect((await send(body, { ...headers, 'webhook-id': 'evt_1' })).status).toBe(401);
    expect(started(workflow.server)).toEqual([]);
  });

  it('is refused 15 minutes after it was signed', async () => {
    const headers = signed('evt_1');
    await running.relay.clock.advance(901_000);
    expect((await send(body, headers)).status).toBe(401);
    expect(started(workflow.server)).toEqual([]);
  });
});

describe('a delivery from a stranger', () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'coupon.redeemed', data: {} });

  it.each<[what: string, secret: string | undefined]>([
    ['without a signature', undefined],
    ['signed with a guess', 'whsec_guess'],
    ['signed with the secret of another key', 'other'],
  ])('%s is refused with 401 and leaves nothing behind', async (_what, given) => {
    await workflow.n8n.publish();
    const other = await running.relay.tokens.create('main', 'other');
    const secret = given === 'other' ? other.signingSecret : given;
    const now = running.relay.clock.now();
    const sign = { id: 'evt_forged', body: Buffer.from(body), secrets: [String(secret)], now };
    const response = await send(body, secret === undefined ? {} : requestHeaders(sign));
    expect(response.status).toBe(401);
    expect([workflow.server.executions, workflow.server.failures]).toEqual([[], []]);
  });

  it('is refused with 401 when only the signature of the service is valid, which covers no ID', async () => {
    const { signingSecret: secret } = running.key;
    const timestamp = running.relay.clock.now() / 1000;
    const signature = signWebhook({ body, secret, timestamp });
    expect((await send(body, { 'x-service-signature': signature })).status).toBe(401);
    expect(workflow.server.executions).toEqual([]);
  });

  it('is refused with 503 when the key cannot be read, so that the relay retries', async () => {
    Object.assign(workflow.engine.credentials.screenAdvertisingRelayApi ?? {}, {
      connectorKey: 'rly_half',
    });
    expect((await send(body, {})).status).toBe(503);
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
