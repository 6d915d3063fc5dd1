import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyStandardWebhook } from '@screen-advertising/core/webhooks';
import type { NewToken } from '@screen-advertising/relay';
import { type Actor, rawResponse, startActor } from '../support/actor.ts';
import { onDatabase } from '../support/database.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

const minuteMs = 60_000;
const events = ['campaign.paid'];

let shared: Running;
let running: Running;
let actor: Actor;
/** Of the subscription that another key is to continue. */
let before: string;
let next: NewToken;
/** How many requests it has got so far. */
let known: number;

beforeAll(async () => {
  shared = await start();
});

beforeEach(async () => {
  running = await ownSource(shared);
  next = await running.relay.tokens.create(running.source, 'next');
  actor = await startActor([rawResponse(503)]);
  before = (await put(running.key, { target_url: actor.url })).id;
  await running.deliver({ id: 'evt_1', type: 'campaign.paid', data: {} });
  await running.relay.clock.advance(1);
  known = actor.requests.length;
});

async function put({ token }: NewToken, body: object) {
  const response = await running.call('PUT', '/subscriptions', { events, ...body }, token);
  expect([200, 201]).toContain(response.status);
  return response.body;
}

const json = (body: unknown) => rawResponse(200, {}, JSON.stringify(body));
const ids = async () => {
  const { data } = await running.relay.subscriptions.list({ source: running.source });
  return data.map(({ id }) => id);
};
const requests = () => actor.requests.slice(known);
const arrived = () => requests().flatMap((request) => /"id":"(evt_\d)"/.exec(request)?.[1] ?? []);

/** Another key subscribes the same target. */
async function changeKey(...answers: string[]): Promise<string> {
  actor.answers.push(...answers);
  const { id } = await put(next, { target_url: actor.url });
  await running.relay.clock.advance(1);
  return id;
}

describe('a subscription of another key with the same target', () => {
  it('ends, and the new one continues it, if the target verifies the new key and names itself', async () => {
    const id = await changeKey(json({ target_url: actor.url }));
    expect(await ids()).toEqual([id]);
    expect(arrived()).toEqual(['evt_1']);
    const [probe = ''] = requests();
    const [head = '', body = ''] = probe.split('\r\n\r\n');
    const [webhookId, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
      new RegExp(`^webhook-${name}: (.*)$`, 'im').exec(head)?.[1]?.trim(),
    );
    const now = () => running.relay.clock.now();
    const secrets = [next.signingSecret];
    verifyStandardWebhook({ body, id: webhookId, timestamp, signature, secrets, now });
    expect(JSON.parse(body)).toMatchObject({ type: 'relay.probe' });
    expect(body).not.toContain(actor.url);
  });

  it.each<[what: string, response: string]>([
    ['says nothing', rawResponse(200)],
    ['is gone (410)', rawResponse(410)],
    ['names another address', json({ target_url: 'http://127.0.0.1/other' })],
  ])('stays, if the target %s', async (_what, response) => {
    const id = await changeKey(response);
    expect(await ids()).toEqual([id, before]);
    expect((await running.call('GET', `/subscriptions/${before}`)).body.state).toBe('active');
    expect(arrived()).toEqual([]);
    await running.relay.clock.advance(5_000);
    expect(arrived()).toEqual(['evt_1']);
  });

  it.each([
    ['ten minutes before', 10, ['evt_1']],
    ['longer ago, which is nothing', 11, []],
  ])('leaves what it has not delivered, if it ended %s', async (_when, minutes, expected) => {
    await running.call('DELETE', `/subscriptions/${before}`);
    await running.relay.clock.advance(minutes * minuteMs - 1);
    await changeKey(json({ target_url: actor.url }));
    expect(arrived()).toEqual(expected);
    // It is asked only if there is one to continue.
    expect(requests().length > 0).toBe(expected.length > 0);
  });
});

describe('a leaked key', () => {
  it('ends no subscription of another key, and takes nothing from it', async () => {
    const stranger = await startActor();
    const leaked = { target_url: stranger.url, replaces: before };
    actor.answers.push(rawResponse(200));
    expect(await put(next, leaked)).toMatchObject({ replaced: 'separate' });
    expect(await ids()).toContain(before);
    await running.call('DELETE', `/subscriptions/${before}`);
    const ofBefore = '(SELECT number FROM subscription WHERE id = $1::uuid)';
    const query = (text: string) =>
      onDatabase(running.databaseUrl, async (client) => client.query(text, [before.slice(4)]));
    await query(
      `INSERT INTO replay (kind, subscription_number, of_number, states, position, until)
        SELECT 'missing', number, number, '{}', 0, 1 FROM ${ofBefore} AS ended`,
    );
    await put(next, { ...leaked, target_url: `${stranger.url}/2` });
    const left = await query(`SELECT FROM replay WHERE subscription_number = ${ofBefore}`);
    expect(left.rowCount).toBe(1);
    await put(running.key, { target_url: actor.url, replaces: before });
    await running.relay.clock.advance(1);
    expect(arrived()).toEqual(['evt_1']);
  });
});
