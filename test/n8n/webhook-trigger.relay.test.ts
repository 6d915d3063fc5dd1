import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { ignoredHeaderName } from '@screen-advertising/core/webhooks';
import { signedDeliveryHeaders } from '../../packages/relay/src/outbound/post.ts';
import { ownSource, type Running, start } from '../relay/support/running-relay.ts';
import { eventually } from '../support/eventually.ts';
import { fire, live, openWorkflow, type RelayWorkflow, started } from './relay-workflow.ts';

let shared: Running;
let running: Running;
let workflow: RelayWorkflow;

beforeAll(async () => {
  shared = await start();
});
beforeEach(async () => {
  running = await ownSource(shared);
  workflow = await openWorkflow(running);
});

/** The relay's time as its records show it. */
const now = () => new Date(running.relay.clock.now()).toISOString();

describe('an event that the relay delivers', () => {
  beforeEach(() => workflow.n8n.publish());

  it('arrives with its ID, name, time and data', async () => {
    const timestamp = now();
    const event = await fire(running);
    expect(workflow.server.executions).toEqual([[{ json: { ...event, timestamp } }]]);
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

  it('starts it again when a person redelivers it, with the same ID, of the service or the relay', async () => {
    for (const identity of [{ id: 'evt_own' }, {}]) {
      await fire(running, 'coupon.redeemed', { ...event, ...identity });
      const [{ event_id: id }] = (await running.call('GET', '/deliveries')).body.data;
      expect((await running.call('POST', `/events/${id}/redeliver`)).status).toBe(202);
      await running.relay.clock.advance(1);
      const [first, second] = started(workflow.server).slice(-2);
      expect(second).toBe(first);
    }
    expect(workflow.server.executions).toHaveLength(4);
  });

  it('and that the workflow does not want shows as ignored at the relay', async () => {
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid'] };
    await fire(running);
    const [{ state, reason }] = (await running.call('GET', '/deliveries')).body.data;
    expect([state, reason]).toEqual(['ignored', 'not_wanted']);
    expect(workflow.server.executions).toEqual([]);
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
  const signed = (id: string) =>
    signedDeliveryHeaders({
      id,
      body: Buffer.from(body),
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

  it('becomes no test by its mark, a test stays one without, and neither works 15 minutes later', async () => {
    const [headers, test] = [signed('evt_1'), signed('test_evt_1')];
    const stored = { 'x-relay-test': 'stored' };
    const statuses = [];
    for (const sent of [
      { ...headers, 'webhook-id': 'test_evt_1' },
      { ...headers, ...stored },
      test,
      { ...test, 'webhook-id': 'evt_1' },
    ]) {
      statuses.push((await send(body, sent)).status);
    }
    expect(statuses).toEqual([401, 200, 200, 401]);
    expect(started(workflow.server)).toEqual(['evt_1']);
    const later = signed('evt_2');
    await running.relay.clock.advance(901_000);
    expect((await send(body, later)).status).toBe(401);
    expect(started(workflow.server)).toEqual(['evt_1']);
  });
});

describe('a delivery from a stranger', () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'coupon.redeemed', data: {} });

  it('is refused with 401 and leaves nothing behind', async () => {
    await workflow.n8n.publish();
    const timestamp = Math.floor(running.relay.clock.now() / 1000);
    const { signingSecret: secret } = running.key;
    const other = await running.relay.tokens.create(running.source, 'other');
    const by = (one: string) =>
      signedDeliveryHeaders({
        id: 'evt_forged',
        body: Buffer.from(body),
        secrets: [one],
        now: timestamp * 1000,
      });
    const all = {
      'without a signature': {},
      'signed with a guess': by('whsec_guess'),
      'signed with the secret of another key': by(other.signingSecret),
      'signed as the service does, which covers no ID': {
        'x-service-signature': signWebhook({ body, secret, timestamp }),
      },
    };
    for (const [what, headers] of Object.entries(all)) {
      expect([what, (await send(body, headers)).status]).toEqual([what, 401]);
    }
    expect([workflow.server.executions, workflow.server.failures]).toEqual([[], []]);
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
  it('gets the newest stored event of the chosen kinds at once, beside the published workflow', async () => {
    await fire(running);
    const newest = await fire(running);
    await fire(running, 'campaign.paid');
    await workflow.n8n.publish();
    const published = await live(running);
    const stop = await workflow.n8n.listen();
    await eventually(() => workflow.editor.executions.length > 0, 'the editor has an event');
    expect(started(workflow.editor)).toEqual([newest.id]);
    expect(workflow.editor.executions[0]?.[0]?.json).not.toHaveProperty('isSample');
    expect(await live(running)).toContainEqual(
      expect.objectContaining({ name: 'Workflow (n8n, test)' }),
    );
    await stop();
    expect(await live(running)).toEqual(published);
    expect(workflow.server.executions).toEqual([]);
  });

  it('gets a marked sample when there is none', async () => {
    const stop = await workflow.n8n.listen();
    await eventually(() => workflow.editor.executions.length > 0, 'the editor has an event');
    await stop();
    expect(workflow.editor.executions[0]?.[0]?.json).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'coupon.redeemed',
      timestamp: now(),
      data: expect.objectContaining({ code: expect.any(String) }),
      isSample: true,
    });
  });
});

it('a problem of the relay starts a workflow that chose it, once, and no other', async () => {
  const chat = await openWorkflow(running, { events: ['relay.problem'], webhookId: '2' });
  await chat.n8n.publish();
  await workflow.n8n.publish();
  const [{ events } = { events: [] }] = (await live(running)).filter(({ target_url }) =>
    target_url.startsWith(chat.webhookUrl),
  );
  expect(events).toEqual([
    'relay.delivery_dead',
    'relay.subscription_failing',
    'relay.subscription_off',
  ]);
  const name = 'CRM';
  const body = { target_url: 'http://127.0.0.1:9/', events: ['campaign.paid'], name };
  await running.call('PUT', '/subscriptions', body);
  await fire(running, 'campaign.paid');
  await running.relay.clock.advance(6 * 60_000);
  const failedAt = now();
  await running.relay.clock.advance(60_000);
  expect(chat.server.executions).toEqual([
    [
      {
        json: {
          id: expect.stringMatching(/^relay\.subscription_failing:sub_/),
          type: 'relay.subscription_failing',
          timestamp: failedAt,
          data: expect.objectContaining({
            message: expect.stringMatching(/^"CRM" \(127\.0\.0\.1:9\) has not accepted an event/),
            problem: 'subscription_failing',
            subscription_name: name,
          }),
        },
      },
    ],
  ]);
  expect(workflow.server.executions).toEqual([]);
});
