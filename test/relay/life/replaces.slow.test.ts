import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { NewToken } from '@screen-advertising/relay';
import { Client } from 'pg';
import { type Actor, rawResponse, startActor } from '../support/actor.ts';
import { ownSource, type Running, start, subscribe } from '../support/running-relay.ts';

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

type Query = (...values: readonly unknown[]) => unknown;

/** Does something after so many statements of a request. Returns whether it had as many. */
async function afterStatement(nth: number, work: () => unknown, request: () => Promise<unknown>) {
  const real = Client.prototype.query as Query;
  let left = nth;
  const spy = jest.spyOn(Client.prototype as { query: Query }, 'query');
  spy.mockImplementation(async function (this: Client, ...values) {
    const result = await real.apply(this, values);
    left -= 1;
    if (left === 0) await work();
    return result;
  });
  await request();
  spy.mockRestore();
  return left <= 0;
}

it('what another one has still to get comes, after whatever statement that one replaces a third', async () => {
  const [here, there] = ['https://hooks.example.com/here', 'https://hooks.example.com/there'];
  const found: (number | null)[] = [];
  // Nothing is delivered.
  const ingress = await start({ role: 'ingress' });
  for (let nth = 1, isOver = false; !isOver; nth += 1) {
    const own = await ownSource(ingress);
    const { token } = await own.relay.tokens.create(own.source, 'third');
    const third = await subscribe(own, here, { token });
    await own.call('DELETE', `/subscriptions/${third}`, undefined, token);
    const other = await subscribe(own, here);
    await own.relay.operate('subscriptions.change', { id: other, state: 'off' });
    await own.deliver({ id: 'waits', type: 'campaign.paid', data: {} });
    // Its position jumps to the end of the log, and a job of it begins where that was.
    const comeBack = () => subscribe(own, here, { replaces: third });
    const replace = () => subscribe(own, there, { replaces: other });
    isOver = !(await afterStatement(nth, comeBack, replace));
    const jobs = `SELECT FROM job WHERE subscription_number = (SELECT max(number) FROM subscription)
      AND since[1] < (SELECT max(position) FROM event)`;
    found.push((await own.query(jobs)).rowCount);
  }
  expect(found.length).toBeGreaterThan(10);
  expect(found).not.toContain(0);
});
