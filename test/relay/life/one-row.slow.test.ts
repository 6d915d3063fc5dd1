import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { rawResponse } from '../support/actor.ts';
import { onDatabase } from '../support/running-relay.ts';
import { useRow } from './row.ts';

const [a, b] = ['campaign.paid', 'coupon.redeemed'] as const;
const minute = 60_000;

const row = useRow();

describe('a token has one subscription to a target', () => {
  it('whatever its spelling', async () => {
    const { port } = new URL(row.actor.url);
    const spellings = [
      row.actor.url,
      `HTTP://127.0.0.1:${port}/hook`,
      `http://127.1:${port}/other/../hook`,
      `http://127.0.0.1:${port}/ho\n\tok#part`,
      ` http://127.0.0.1:${port}/hook `,
      `http://127.0.0.1.:${port}/h%6Fok?`,
    ];
    for (const target_url of spellings) {
      expect(await row.put({ target_url })).toMatchObject({ target_url: row.actor.url });
    }
    await row.deliver('one');
    expect(row.arrived()).toEqual(['one']);
    const { data } = (await row.running.call('GET', '/subscriptions')).body;
    expect(data).toHaveLength(1);
  });

  it('which a list finds by any spelling', async () => {
    const { id } = await row.put();
    await row.put({ target_url: `${row.actor.url}/2` });
    const spelled = encodeURIComponent(row.actor.url.replace('http:', 'HTTP:'));
    const { body } = await row.running.call('GET', `/subscriptions?target_url=${spelled}`);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it('but not if its URL has more than 2048 characters once it is escaped', async () => {
    expect(await row.put({ target_url: `${row.actor.url}/${'ü'.repeat(500)}` })).toMatchObject({
      status: 400,
      detail: expect.stringMatching(
        /^target_url: use a URL of up to 2048 characters; with escapes, it has 30\d\d\.$/,
      ),
    });
  });

  it('and each PUT adds one to the number at the end of its ID', async () => {
    const first = await row.put();
    const second = await row.put();
    expect(first.id).toMatch(/^sub_[0-9a-f]{32}_1$/);
    expect(second.id).toBe(first.id.replace(/1$/, '2'));
    // A page that was opened before still works.
    expect(await row.get(first.id)).toEqual({
      ...second,
      waiting: 0,
      pending: 0,
      has_request: false,
      failing_since: null,
      last_error: null,
      next_attempt_at: null,
    });
  });

  it('which says what it got before, if its events change', async () => {
    expect(await row.put()).not.toHaveProperty('previous_events');
    expect(await row.put()).not.toHaveProperty('previous_events');
    expect(await row.put({ events: [b] })).toMatchObject({ events: [b], previous_events: [a] });
  });

  it('and its limit of deliveries at once stays, unless a PUT names another', async () => {
    const { id } = await row.put({ max_concurrency: 2 });
    await row.end(id);
    expect(await row.put()).toMatchObject({ max_concurrency: 2 });
    expect(await row.put({ max_concurrency: 3 })).toMatchObject({ max_concurrency: 3 });
  });

  it('another token has its own', async () => {
    const { token } = await row.running.relay.tokens.create(row.running.source, 'other');
    await row.put();
    expect((await row.put({}, token)).id).toMatch(/_1$/);
  });
});

describe('an ID from before the last PUT', () => {
  it('ends nothing, and is accepted', async () => {
    const { id } = await row.put();
    const again = await row.put();
    expect((await row.end(id)).status).toBe(204);
    expect(await row.get(again.id)).toMatchObject({ state: 'active' });
    expect((await row.end(again.id)).status).toBe(204);
    expect((await row.end(again.id)).status).toBe(204);
    expect((await row.running.call('GET', `/subscriptions/${again.id}`)).status).toBe(404);
  });

  it('switches nothing off with the response of a request from then', async () => {
    await row.put();
    await row.running.deliver({ id: 'one', type: a, data: {} });
    const respond = await row.attempt(410);
    const { body } = await row.ask();
    await respond();
    expect(await row.get(body.id)).toMatchObject({ state: 'active', off_reason: null });
    await row.deliver('two');
    expect(row.arrived()).toEqual(['one', 'two']);
  });

  it('leaves no failure of a request from then', async () => {
    row.actor.answers.push(...Array(9).fill(rawResponse(500)));
    await row.put();
    for (let count = 0; count < 10; count += 1)
      await row.running.deliver({ id: `e${count}`, type: a });
    const respond = await row.attempt(500);
    await row.ask();
    await respond();
    expect(await row.leaseOf()).toEqual({ failures: 0, is_paused: false, is_failing: false });
  });
});

it.each([
  ['before', ['DELETE', 'PUT']],
  ['after', ['PUT', 'DELETE']],
])('nothing is lost when a DELETE of another token gets the row %s a PUT', async (_when, order) => {
  const { id } = await row.put();
  const { relay, source, call, databaseUrl } = row.running;
  const { token } = await relay.tokens.create(source, 'manager', ['manage']);
  const asks: Readonly<Record<string, () => Promise<unknown>>> = {
    DELETE: () => call('DELETE', `/subscriptions/${id}`, undefined, token),
    PUT: () => row.ask(),
  };
  await onDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(`SELECT FROM subscription WHERE target_url = '${row.actor.url}' FOR UPDATE`);
    const waiting = async () =>
      (await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount;
    const asked = [];
    for (const [nth, name] of order.entries()) {
      asked.push(asks[name]?.());
      await eventually(async () => (await waiting()) === nth + 1, `the ${name} waits for the row`);
    }
    await row.running.deliver({ id: 'meanwhile', type: a, data: {} });
    await client.query('ROLLBACK');
    await Promise.all(asked);
  });
  await row.deliver('later');
  expect(row.arrived().sort()).toEqual(['later', 'meanwhile']);
});

it('what it had stays delivered, however often it is published', async () => {
  await row.put();
  for (let count = 0; count < 5; count += 1) await row.deliver(`e${count}`);
  const { id } = await row.put();
  const from = new Date(row.running.relay.clock.now() - 60 * minute);
  const asked = { missing: true, from };
  const { body } = await row.running.call('POST', `/subscriptions/${id}/redeliver`, asked);
  await row.running.relay.clock.advance(1);
  expect([body, row.arrived().length]).toEqual([{ deliveries: 0, has_more: false }, 5]);
});

it('a redelivery ends the pause of one that failed', async () => {
  row.actor.answers.push(...Array(12).fill(rawResponse(500)));
  const { id } = await row.put();
  for (let count = 0; count < 12; count += 1)
    await row.running.deliver({ id: `e${count}`, type: a });
  await row.running.relay.clock.advance(10_000);
  expect(await row.leaseOf()).toMatchObject({ is_paused: true });
  await row.running.query(
    "UPDATE delivery SET state = 'dead', next_at = NULL WHERE state = 'pending'",
  );
  const before = row.arrived().length;
  row.actor.answers.length = 0;
  await row.running.call('POST', `/subscriptions/${id}/redeliver`, { states: ['dead'] });
  await row.running.relay.clock.advance(0);
  expect(row.arrived().length).toBeGreaterThan(before);
});

it('a process whose lease expired does not attempt again what it still attempts', async () => {
  await row.put();
  await row.put({ target_url: `${row.actor.url}/2`, events: ['coupon.redeemed'] });
  await row.running.deliver({ id: 'running', type: 'campaign.paid', data: {} });
  const respond = await row.attempt(200);
  await row.running.query(
    "UPDATE lease SET leased_until = clock_timestamp() - interval '1 second'",
  );
  await row.running.deliver({ id: 'other', type: 'coupon.redeemed', data: {} });
  await eventually(() => row.arrived().includes('other'), 'another subscription was claimed');
  await respond();
  expect(row.arrived()).toEqual(['running', 'other']);
});
