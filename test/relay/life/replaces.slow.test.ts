import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewToken } from '@screen-advertising/relay';
import { type Actor, rawResponse, startActor } from '../support/actor.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

const minute = 60_000;
const [paid, redeemed, registered] = ['campaign.paid', 'coupon.redeemed', 'user.registered'];

let shared: Running;
let running: Running;
/** Of the subscription that is replaced, and of the one that replaces it. */
let old: Actor;
let next: Actor;
let before: string;

beforeAll(async () => {
  shared = await start();
});

/** One event of each type is pending at the old target. */
beforeEach(async () => {
  running = await ownSource(shared);
  [old, next] = [await startActor([rawResponse(500), rawResponse(500)]), await startActor()];
  before = (await put({ target_url: old.url, events: [paid, registered] })).id;
  for (const type of [paid, registered]) await deliver(`${type}`, type);
});

async function put(body: object, { token }: Pick<NewToken, 'token'> = running.key) {
  const response = await running.call('PUT', '/subscriptions', body, token);
  await running.relay.clock.advance(1);
  return response.body;
}

const replace = (more: object = {}, key?: NewToken) =>
  put({ target_url: next.url, events: [paid, redeemed], replaces: before, ...more }, key);

async function deliver(id: string, type = paid): Promise<void> {
  await running.deliver({ id: `evt_${id}`, type, data: {} });
  await running.relay.clock.advance(1);
}

const end = () => running.call('DELETE', `/subscriptions/${before}`);
const arrived = ({ requests }: Actor) =>
  requests.map((request) => /"id":"evt_([\w.]+)"/.exec(request)?.[1]);

describe('a new subscription that replaces another', () => {
  it('gets what that one has not, of the types that both want, which stays as it is', async () => {
    const { body } = await running.call('GET', `/subscriptions/${before}`);
    await replace();
    expect(arrived(next)).toEqual([paid]);
    expect((await running.call('GET', `/subscriptions/${before}`)).body).toEqual(body);
    await running.relay.clock.advance(minute);
    expect(arrived(old)).toEqual([paid, registered, paid, registered]);
  });

  it('gets all of it, if it wants every event', async () => {
    await replace({ events: ['*'] });
    expect(arrived(next)).toEqual([paid, registered]);
  });

  it('gets the same, whichever of its PUT and the DELETE of that one comes first', async () => {
    await running.relay.operate('subscriptions.change', { id: before, state: 'off' });
    await deliver('waiting');
    const expected = [paid, 'waiting'];
    await replace();
    await end();
    expect(arrived(next)).toEqual(expected);
    await put({ target_url: `${next.url}/2`, events: [paid], replaces: before });
    expect(arrived(next).slice(2)).toEqual(expected);
  });

  it.each([
    ['ten minutes before', 10, {}, [paid]],
    ['longer ago, which is nothing', 11, {}, []],
    ['longer ago, if it catches up', 11, { catch_up: true }, [paid]],
  ])('gets what is left of one that ended %s', async (_when, minutes, more, expected) => {
    await end();
    await running.relay.clock.advance(minutes * minute - 1);
    await replace(more);
    expect(arrived(next)).toEqual(expected);
  });

  it('gets nothing twice, however often it is published', async () => {
    await replace();
    for (let count = 0; count < 3; count += 1) {
      const { id } = await replace();
      await running.call('DELETE', `/subscriptions/${id}`);
      await deliver(`between ${count}`.replace(' ', '_'));
      await replace();
    }
    expect(arrived(next)).toEqual([paid, 'between_0', 'between_1', 'between_2']);
  });

  it('gets what that one was to get of a third, and had not reached', async () => {
    const away = await put({ target_url: 'http://127.0.0.1:9/', events: [paid], replaces: before });
    await replace({ replaces: away.id });
    expect(arrived(next)).toEqual([paid]);
  });

  it('gets what died because that one was gone', async () => {
    old.answers.splice(0, 2, rawResponse(410));
    await running.call('POST', `/subscriptions/${before}/retry`);
    await running.relay.clock.advance(0);
    await replace({ events: ['*'] });
    expect(arrived(next)).toEqual([paid, registered]);
  });

  it('may use another key of the same source, which sees nothing of that one, but no other source', async () => {
    const own = await running.relay.tokens.create(running.source, 'own');
    await replace({}, own);
    expect(arrived(next)).toEqual([paid]);
    const get = await running.call('GET', `/subscriptions/${before}`, undefined, own.token);
    expect(get.status).toBe(403);
    const { data } = (await running.call('GET', '/deliveries', undefined, own.token)).body;
    expect(data).toMatchObject([{ attempts: [{ status: 200 }] }]);
    await running.relay.sources.add('other', 'another-signing-secret');
    const stranger = await running.relay.tokens.create('other', 'stranger');
    await put({ target_url: `${next.url}/2`, events: ['*'], replaces: before }, stranger);
    expect(arrived(next)).toEqual([paid]);
  });

  it('of another key with the same target gets each event once, published again and again', async () => {
    const key = await running.relay.tokens.create(running.source, 'next');
    await running.relay.operate('subscriptions.change', { id: before, state: 'off' });
    await put({ target_url: old.url, events: [paid], replaces: before }, key);
    const known = old.requests.length;
    for (let count = 0; count < 3; count += 1) {
      await deliver(`later_${count}`);
      await put({ target_url: old.url, events: [paid], replaces: before }, key);
    }
    expect(arrived(old).slice(known)).toEqual(['later_0', 'later_1', 'later_2']);
  });

  it.each(['sub_00000000000000000000000000000000_1', 'half a subscription', ''])(
    'may name an unknown one: %j is ignored',
    async (replaces) => {
      await replace({ replaces });
      expect(arrived(next)).toEqual([]);
    },
  );
});

it('one that is on, and replaces another, gets nothing more', async () => {
  await replace({ replaces: undefined });
  await replace();
  expect(arrived(next)).toEqual([]);
});
