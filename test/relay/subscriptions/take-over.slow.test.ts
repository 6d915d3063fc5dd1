import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { type Actor, startActor } from '../support/actor.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

const minuteMs = 60_000;

let shared: Running;
let running: Running;
let actor: Actor;
/** A subscription whose target does not respond, with one event of each kind pending. */
let before: string;

beforeAll(async () => {
  shared = await start();
});

beforeEach(async () => {
  running = await ownSource(shared);
  actor = await startActor();
  const away = `http://127.0.0.1:${await freePort()}/hook`;
  before = await put({ target_url: away, events: ['campaign.paid', 'user.registered'] });
  for (const type of ['campaign.paid', 'user.registered']) {
    await running.deliver({ id: `evt_${type}`, type, data: {} });
  }
  await running.relay.clock.advance(1);
});

async function put(body: object): Promise<string> {
  const { status, body: subscription } = await running.call('PUT', '/subscriptions', body);
  expect([200, 201]).toContain(status);
  await running.relay.clock.advance(1);
  return subscription.id;
}

/** The events that arrived at the new target. */
const arrived = () => actor.requests.map((request) => /"id":"evt_([\w.]+)"/.exec(request)?.[1]);

describe('a subscription that replaces another', () => {
  const kinds = ['campaign.paid', 'coupon.redeemed'];

  it('receives what the other has not, if it wants those events', async () => {
    await put({ target_url: actor.url, events: kinds, replaces: before });
    expect(arrived()).toEqual(['campaign.paid']);
    await running.call('DELETE', `/subscriptions/${before}`);
    await put({ target_url: actor.url, events: kinds, replaces: before });
    expect(arrived()).toEqual(['campaign.paid']);
  });

  it('receives all of it, if it wants every event', async () => {
    await put({ target_url: actor.url, events: ['*'], replaces: before });
    expect(arrived()).toEqual(['campaign.paid', 'user.registered']);
  });

  it.each([
    ['ten minutes before', 10, ['campaign.paid']],
    ['longer ago, which is nothing', 11, []],
  ])('receives what is left of one that ended %s', async (_when, minutes, expected) => {
    await running.call('DELETE', `/subscriptions/${before}`);
    await running.relay.clock.advance(minutes * minuteMs - 1);
    await put({ target_url: actor.url, events: kinds, replaces: before });
    expect(arrived()).toEqual(expected);
  });

  it('receives nothing twice', async () => {
    await put({ target_url: actor.url, events: kinds, replaces: before });
    const next = await startActor();
    const [{ id = '' } = {}] = (await running.call('GET', '/subscriptions')).body.data;
    await put({ target_url: next.url, events: kinds, replaces: id });
    expect(next.requests).toEqual([]);
  });

  it('may use another key of the same source, but no other source', async () => {
    await running.relay.sources.add('other', 'another-signing-secret');
    const { token } = await running.relay.tokens.create('other', 'stranger');
    const body = { target_url: actor.url, events: kinds, replaces: before };
    expect((await running.call('PUT', '/subscriptions', body, token)).status).toBe(201);
    await running.relay.clock.advance(1);
    expect(arrived()).toEqual([]);
    const own = await running.relay.tokens.create(running.source, 'own');
    await running.call('PUT', '/subscriptions', body, own.token);
    await running.relay.clock.advance(1);
    expect(arrived()).toEqual(['campaign.paid']);
  });

  it.each(['sub_00000000000000000000000000000000', 'half a subscription', ''])(
    'may name an unknown one: %j is ignored',
    async (replaces) => {
      await put({ target_url: actor.url, events: kinds, replaces });
      expect(arrived()).toEqual([]);
    },
  );
});

describe('the target of a subscription that is replaced', () => {
  const target_url = 'https://n8n.example/new';
  const events = ['campaign.paid'];

  it.each([
    ['that does not respond in time', { deliveryTimeoutMs: 300 }],
    ['that the operator no longer allows, which is not asked,', { allowTargets: [] }],
  ])('%s does not end it', async (_which, options) => {
    const silent = await startActor([() => undefined]);
    const old = await put({ target_url: silent.url, events });
    const { call } = await start({ databaseUrl: running.databaseUrl, ...options });
    const body = { target_url, events, replaces: old };
    const replaced = await call('PUT', '/subscriptions', body, running.key.token);
    expect(replaced.body).toMatchObject({ replaced: 'unreachable' });
    const { data } = (await running.call('GET', '/subscriptions')).body;
    expect(data.map(({ id }: { id: string }) => id)).toContain(old);
    expect(silent.requests).toHaveLength('allowTargets' in options ? 0 : 1);
  });
});
