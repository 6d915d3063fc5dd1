import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor, rawResponse, startActor } from '../support/actor.ts';
import { onDatabase } from '../support/database.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

const [a, b] = ['campaign.paid', 'coupon.redeemed'] as const;
const minute = 60_000;

let shared: Running;
let running: Running;
let actor: Actor;

beforeAll(async () => {
  shared = await start();
});

beforeEach(async () => {
  running = await ownSource(shared);
  actor = await startActor();
});

async function put(body: object = {}, token = running.key.token) {
  const input = { target_url: actor.url, events: [a], ...body };
  const response = await running.call('PUT', '/subscriptions', input, token);
  await running.relay.clock.advance(1);
  return response.body;
}

const end = (id: string) => running.call('DELETE', `/subscriptions/${id}`);
const get = async (id: string) => (await running.call('GET', `/subscriptions/${id}`)).body;

async function deliver(id: string, type: string = a): Promise<void> {
  await running.deliver({ id, type, data: {} });
  await running.relay.clock.advance(1);
}

/** The events that arrived at the target, in order. */
const arrived = () => actor.requests.map((request) => /"id":"(\w+)"/.exec(request)?.[1]);

describe('a token has one subscription to a target', () => {
  it('whatever its spelling', async () => {
    const { port } = new URL(actor.url);
    const spellings = [
      actor.url,
      `HTTP://127.0.0.1:${port}/hook`,
      `http://127.1:${port}/other/../hook`,
      `http://127.0.0.1:${port}/ho\n\tok#part`,
      ` http://127.0.0.1:${port}/hook `,
    ];
    for (const target_url of spellings) {
      expect(await put({ target_url })).toMatchObject({ target_url: actor.url });
    }
    await deliver('one');
    expect(arrived()).toEqual(['one']);
    const { data } = (await running.call('GET', '/subscriptions')).body;
    expect(data).toHaveLength(1);
  });

  it('which a list finds by any spelling', async () => {
    const { id } = await put();
    await put({ target_url: `${actor.url}/2` });
    const spelled = encodeURIComponent(actor.url.replace('http:', 'HTTP:'));
    const { body } = await running.call('GET', `/subscriptions?target_url=${spelled}`);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it('but not if its URL has more than 2048 characters once it is escaped', async () => {
    expect(await put({ target_url: `${actor.url}/${'ü'.repeat(500)}` })).toMatchObject({
      status: 400,
      detail: expect.stringMatching(
        /^target_url: use a URL of up to 2048 characters; with escapes, it has 30\d\d\.$/,
      ),
    });
  });

  it('and each PUT adds one to the number at the end of its ID', async () => {
    const first = await put();
    const second = await put();
    expect(first.id).toMatch(/^sub_[0-9a-f]{32}_1$/);
    expect(second.id).toBe(first.id.replace(/1$/, '2'));
    // A page that was opened before still works.
    expect(await get(first.id)).toEqual({ ...second });
  });

  it('which says what it got before, if its events change', async () => {
    expect(await put()).not.toHaveProperty('previous_events');
    expect(await put()).not.toHaveProperty('previous_events');
    expect(await put({ events: [b] })).toMatchObject({ events: [b], previous_events: [a] });
  });

  it('another token has its own', async () => {
    const { token } = await running.relay.tokens.create(running.source, 'other');
    await put();
    expect((await put({}, token)).id).toMatch(/_1$/);
  });
});

describe('an ID from before the last PUT', () => {
  it('ends nothing, and is accepted', async () => {
    const { id } = await put();
    const again = await put();
    expect((await end(id)).status).toBe(204);
    expect(await get(again.id)).toMatchObject({ state: 'active' });
    expect((await end(again.id)).status).toBe(204);
    expect((await end(again.id)).status).toBe(204);
    expect((await running.call('GET', `/subscriptions/${again.id}`)).status).toBe(404);
  });

  it('switches nothing off with the response of a request from then', async () => {
    const gone: (() => void)[] = [];
    actor.answers.push((socket) => gone.push(() => socket.write(rawResponse(410))));
    await put();
    await running.deliver({ id: 'one', type: a, data: {} });
    const advancing = running.relay.clock.advance(0);
    while (gone.length === 0) await new Promise(setImmediate);
    const putting = running.call('PUT', '/subscriptions', { target_url: actor.url, events: [a] });
    const { body } = await putting;
    for (const answer of gone) answer();
    await advancing;
    expect(await get(body.id)).toMatchObject({ state: 'active', off_reason: null });
    await deliver('two');
    expect(arrived()).toEqual(['one', 'two']);
  });

  it('leaves no failure of a request from then', async () => {
    const fail: (() => void)[] = [];
    const held = (socket: { write(text: string): void }) =>
      void fail.push(() => socket.write(rawResponse(500)));
    actor.answers.push(...Array(9).fill(rawResponse(500)), held);
    await put();
    for (let count = 0; count < 10; count += 1) await running.deliver({ id: `e${count}`, type: a });
    const advancing = running.relay.clock.advance(0);
    while (fail.length === 0) await new Promise(setImmediate);
    await running.call('PUT', '/subscriptions', { target_url: actor.url, events: [a] });
    for (const answer of fail) answer();
    await advancing;
    expect(await leaseOf()).toEqual({ failures: 0, is_paused: false, is_failing: false });
  });
});

const leaseOf = () =>
  onDatabase(running.databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT failures_in_a_row AS failures, paused_until IS NOT NULL AS is_paused,
        failing_since IS NOT NULL AS is_failing
      FROM lease ORDER BY subscription_number DESC LIMIT 1`,
    );
    return rows[0];
  });

describe('an event is wanted', () => {
  it('from the request on that first names its type', async () => {
    await put();
    for (let count = 0; count < 60; count += 1) await running.deliver({ id: `b${count}`, type: b });
    await put({ events: [a, b] });
    await put({ events: [a, b], catch_up: true });
    await deliver('b', b);
    expect(arrived()).toEqual(['b']);
  });

  it('no more after one that leaves it out, also if it was attempted', async () => {
    actor.answers.push(rawResponse(500));
    await put({ events: [a, b] });
    await deliver('failed', b);
    await put();
    await deliver('late', b);
    const { data } = (await running.call('GET', '/deliveries')).body;
    expect(data).toMatchObject([{ state: 'dead', reason: 'not_wanted' }]);
    await put({ events: [a, b] });
    await running.relay.clock.advance(60 * minute);
    expect(arrived()).toEqual(['failed']);
  });

  it('no more after one that leaves it out, also if a job was to deliver it', async () => {
    const { id } = await put({ events: [a, b] });
    await running.relay.subscriptions.off(id);
    await deliver('a');
    await deliver('b', b);
    // No sender carries out the job meanwhile.
    const ingress = await start({ role: 'ingress', databaseUrl: running.databaseUrl });
    const putAside = (body: object) => {
      const input = { target_url: `${actor.url}/2`, events: [a, b], ...body };
      return ingress.call('PUT', '/subscriptions', input, running.key.token);
    };
    await putAside({ replaces: id });
    await putAside({ events: [a] });
    await putAside({});
    await running.relay.clock.advance(10 * minute);
    expect(arrived()).toEqual(['a']);
  });

  it.each([
    ['', [a]],
    [', also if a request names it again', [a, b]],
  ])('no more while an attempt of it runs that then fails%s', async (_when, events) => {
    const fail: (() => void)[] = [];
    actor.answers.push((socket) => fail.push(() => socket.write(rawResponse(500))));
    await put({ events: [a, b] });
    await running.deliver({ id: 'running', type: b, data: {} });
    const advancing = running.relay.clock.advance(0);
    while (fail.length === 0) await new Promise(setImmediate);
    await running.call('PUT', '/subscriptions', { target_url: actor.url, events: [a] });
    for (const answer of fail) answer();
    await advancing;
    await put({ events });
    await running.relay.clock.advance(minute);
    const { data } = (await running.call('GET', '/deliveries')).body;
    expect(data).toMatchObject([{ state: 'dead', reason: 'not_wanted' }]);
    expect(arrived()).toEqual(['running']);
  });

  it.each([
    ['from its name to "*"', [a], ['*'], ['a', 'later']],
    ['from "*" to its name', ['*'], [a], ['a']],
    ['from "*" to its name and another', ['*'], [a, b], ['a', 'b', 'later']],
  ])('still, if the request changes %s', async (_what, before, after, expected) => {
    const { id } = await put({ events: before });
    await running.relay.subscriptions.off(id);
    await deliver('a');
    await deliver('b', b);
    const { events } = await put({ events: after });
    expect(events).toEqual(after);
    await deliver('later', b);
    expect(arrived()).toEqual(expected);
    await put({ events: after });
    await deliver('last');
    expect(arrived()).toEqual([...expected, 'last']);
  });

  it('if the subscription has its name, although the relay never received one', async () => {
    await running.deliver({ id: 'one', type: 'screen.paused' });
    await put({ events: ['screen.paused'] });
    const forget = "DELETE FROM event WHERE type = 'screen.paused'";
    await onDatabase(running.databaseUrl, (client) => client.query(forget));
    expect(await put({ events: ['screen.paused'] })).toMatchObject({ events: ['screen.paused'] });
    const other = await put({ target_url: `${actor.url}/2`, events: ['screen.paused'] });
    expect(other.status).toBe(400);
  });
});

describe('a subscription that was deleted', () => {
  it('continues where it stopped within ten minutes', async () => {
    actor.answers.push(rawResponse(500));
    const { id } = await put();
    await deliver('failed');
    await end(id);
    await deliver('between');
    await running.relay.clock.advance(10 * minute - 2);
    expect(arrived()).toEqual(['failed']);
    const again = await put();
    expect(again).not.toHaveProperty('skipped');
    expect(arrived().slice(1).sort()).toEqual(['between', 'failed']);
    await put();
    expect(arrived()).toHaveLength(3);
  });

  it('skips what arrived meanwhile after that, says so, and catches up', async () => {
    actor.answers.push(rawResponse(500));
    const { id } = await put();
    await deliver('failed');
    await end(id);
    const from = new Date(running.relay.clock.now()).toISOString();
    await deliver('between');
    await deliver('other', b);
    await running.relay.clock.advance(11 * minute);
    // The maintenance looks again.
    await running.relay.clock.advance(0);
    const { data } = (await running.call('GET', '/deliveries')).body;
    expect(data).toMatchObject([{ state: 'dead', reason: 'unsubscribed' }]);
    expect(await put()).toMatchObject({ skipped: { from, count: 1 } });
    await deliver('later');
    expect(await put()).toMatchObject({ skipped: { from, count: 1 } });
    expect(arrived()).toEqual(['failed', 'later']);
    expect(await put({ catch_up: true })).not.toHaveProperty('skipped');
    expect(arrived().slice(2).sort()).toEqual(['between', 'failed']);
    await put({ catch_up: true });
    expect(arrived()).toHaveLength(4);
  });

  it('and that catches up at once skips nothing', async () => {
    const { id } = await put();
    await end(id);
    await deliver('between');
    await running.relay.clock.advance(60 * minute);
    expect(await put({ catch_up: true })).not.toHaveProperty('skipped');
    expect(arrived()).toEqual(['between']);
  });

  it('is pruned after the retention, with what belongs to it, and is then a new one', async () => {
    const { id } = await put();
    await put({ target_url: `${actor.url}/2`, replaces: id });
    await end(id);
    await running.relay.clock.advance(61 * minute);
    await running.relay.prune(60 * minute);
    const { id: next } = await put();
    expect(next).toMatch(/_1$/);
    expect(next.slice(0, 36)).not.toBe(id.slice(0, 36));
  });
});

it('a request with catch_up false skips what waits now', async () => {
  actor.answers.push(rawResponse(500));
  const { id } = await put();
  await deliver('failed');
  await running.relay.subscriptions.off(id);
  await deliver('waiting');
  await put({ catch_up: false });
  await running.relay.clock.advance(60 * minute);
  await deliver('later');
  expect(arrived()).toEqual(['failed', 'later']);
});

it.each(['by_hand', 'gone'] as const)(
  'what an operator or the relay stopped (%s) continues, however late',
  async (why) => {
    const { id } = await put();
    if (why === 'gone') {
      actor.answers.push(rawResponse(410));
      await deliver('gone');
    } else {
      await running.relay.subscriptions.off(id);
    }
    await deliver('between');
    expect(await get(id)).toMatchObject({ state: 'off', off_reason: why });
    await running.relay.clock.advance(24 * 60 * minute);
    await put();
    expect(arrived().at(-1)).toBe('between');
  },
);

it('what it had stays delivered, however often it is published', async () => {
  await put();
  for (let count = 0; count < 5; count += 1) await deliver(`e${count}`);
  const { id } = await put();
  const since = new Date(running.relay.clock.now() - 60 * minute);
  const { body } = await running.call('POST', `/subscriptions/${id}/replay-missing`, { since });
  await running.relay.clock.advance(1);
  expect([body, arrived().length]).toEqual([{ deliveries: 0, has_more: false }, 5]);
});

it('a replay ends the pause of one that failed', async () => {
  actor.answers.push(...Array(12).fill(rawResponse(500)));
  const { id } = await put();
  for (let count = 0; count < 12; count += 1) await running.deliver({ id: `e${count}`, type: a });
  await running.relay.clock.advance(10_000);
  expect(await leaseOf()).toMatchObject({ is_paused: true });
  await onDatabase(running.databaseUrl, (client) =>
    client.query("UPDATE delivery SET state = 'dead', next_at = NULL WHERE state = 'pending'"),
  );
  const before = arrived().length;
  actor.answers.length = 0;
  await running.call('POST', `/subscriptions/${id}/replay`, { state: 'dead' });
  await running.relay.clock.advance(0);
  expect(arrived().length).toBeGreaterThan(before);
});
