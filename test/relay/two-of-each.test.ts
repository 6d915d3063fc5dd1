/*
 * Each test has two of whatever the relay keeps apart: two readers of one log, two sources, two
 * secrets of which one is changed at the same moment.
 */
import { subscribe as subscribeTo, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { IngressSources } from '../../packages/relay/src/log/verification.ts';
import { startReceiver } from '../sandbox/support/receiver.ts';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';
import { eventually } from '../support/eventually.ts';
import { onDatabase, ownSource, type Running, start, subscribe } from './support/running-relay.ts';

const type = 'campaign.paid';
const day = 24 * 3_600_000;

let shared: Running;
beforeAll(async () => {
  shared = await start();
});

it('of two subscriptions, the slower one keeps what it has not read from being pruned', async () => {
  // Nothing is sent, so each stays where it began.
  const running = await start({ role: 'ingress', retentionDays: 1 });
  await subscribe(running, 'http://127.0.0.1:9/slow');
  await running.deliver({ id: 'unread', type });
  await subscribe(running, 'http://127.0.0.1:9/fast');
  await running.relay.clock.advance(2 * day);
  expect(await running.relay.prune(day)).toEqual({ events: 0, subscriptions: 0 });
  expect((await running.call('GET', '/events')).body.data).toMatchObject([
    { payload: { id: 'unread' } },
  ]);
});

/**
 * Gives a source the secret of another one, in a transaction that stays open until `meanwhile` waits
 * for it.
 */
async function changeSecret(running: Running, other: string, meanwhile: () => Promise<unknown>) {
  await onDatabase(running.databaseUrl, async (client) => {
    await client.query('BEGIN');
    const secret = '(SELECT secret FROM source WHERE name = $2)';
    await client.query(`UPDATE source SET secret = ${secret} WHERE name = $1`, [
      running.source,
      other,
    ]);
    const waiting = meanwhile();
    await onDatabase(running.databaseUrl, (watcher) =>
      eventually(async () => {
        const { rows } = await watcher.query('SELECT 1 FROM pg_locks WHERE NOT granted');
        return rows.length > 0;
      }, 'a statement that waits for the row'),
    );
    await client.query('COMMIT');
    await waiting;
  });
}

it('a secret that is changed while all are encrypted again stays the new one', async () => {
  const running = await ownSource(shared);
  const other = await ownSource(shared);
  const secret = 'another-signing-secret';
  await running.relay.sources.rotate(other.source, secret);
  await changeSecret(running, other.source, () => running.relay.renewSecrets());
  await running.relay.clock.advance(1_000);
  expect((await running.deliver({ id: '1', type }, { secret })).status).toBe(202);
});

it('a delivery signed with the old secret says nothing about one that is set meanwhile', async () => {
  const running = await ownSource(shared);
  const other = await ownSource(shared);
  await running.relay.sources.rotate(other.source, 'another-signing-secret');
  await changeSecret(running, other.source, () => running.deliver({ id: '1', type }));
  const { rows } = await running.query('SELECT verified_at FROM source WHERE name = $1', [
    running.source,
  ]);
  expect(rows).toEqual([{ verified_at: null }]);
});

it('a subscription that replaces one of another source gets nothing, though its own has events', async () => {
  const [own, other] = [await ownSource(shared), await ownSource(shared)];
  const [receiver, theirs] = [await startReceiver(), await startReceiver([410])];
  const before = await subscribe(other, theirs.url);
  await other.deliver({ id: 'theirs', type });
  await shared.relay.clock.advance(1);
  // Later than what the other one has read.
  for (const id of ['own 1', 'own 2', 'own 3']) await own.deliver({ id, type });
  await subscribe(own, receiver.url, { replaces: before });
  await shared.relay.clock.advance(1);
  expect(receiver.arrivals).toEqual([]);
  await own.deliver({ id: 'next', type });
  await shared.relay.clock.advance(1);
  expect(receiver.arrivals.map(({ body }) => JSON.parse(body).id)).toEqual(['next']);
});

it('an erasure in one source leaves the refusals of the other', async () => {
  const [own, other] = [await ownSource(shared), await ownSource(shared)];
  for (const { url, source } of [own, other]) {
    const headers = { 'x-of-anna': '' };
    await fetch(`${url}/in/${source}`, { method: 'POST', headers, body: '{}' });
  }
  await shared.relay.operate('events.erase', { search: 'x-of-anna', source: own.source });
  const { rows } = await own.query(
    `SELECT name FROM refusal JOIN source ON source.number = source_number
      WHERE strpos(headers::text, 'x-of-anna') > 0`,
  );
  expect(rows).toEqual([{ name: other.source }]);
});

it('a token is revoked in its own source, and not one of the same name in another', async () => {
  const [one, other] = [await ownSource(shared), await ownSource(shared)];
  const { token } = await one.relay.tokens.create(one.source, 'zapier');
  const theirs = await other.relay.tokens.create(other.source, 'zapier');
  await other.relay.tokens.revoke(other.source, 'zapier');
  const me = async (key: string) => (await one.call('GET', '/me', undefined, key)).status;
  expect([await me(token), await me(theirs.token)]).toEqual([200, 401]);
});

it('the first use of a new key switches on what the rotation ended, and not what a person did', async () => {
  const running = await ownSource(shared);
  const { relay, source } = running;
  const { token } = await relay.tokens.create(source, 'n8n');
  await subscribe(running, 'http://127.0.0.1:9/rotated', { token });
  const id = await subscribe(running, 'http://127.0.0.1:9/by-hand', { token });
  await relay.operate('subscriptions.change', { id, state: 'off', source });
  const { token: renewed } = await relay.tokens.rotate(source, 'n8n', { now: true });
  await running.call('GET', '/me', undefined, renewed);
  const { data } = await relay.operate('subscriptions.list', { source });
  const states = data.map(({ target_url, state, off_reason }) => [target_url, state, off_reason]);
  expect(states.sort()).toEqual([
    ['http://127.0.0.1:9/by-hand', 'off', 'by_hand'],
    ['http://127.0.0.1:9/rotated', 'active', null],
  ]);
});

it('one that is off keeps its reason if an operator switches it off again', async () => {
  const running = await ownSource(shared);
  const receiver = await startReceiver([410]);
  const id = await subscribe(running, receiver.url);
  await running.deliver({ id: 'refused', type });
  await running.relay.clock.advance(1);
  for (let time = 0; time < 2; time += 1) {
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'off' });
    const { body } = await running.call('GET', `/subscriptions/${id}`);
    expect(body).toMatchObject({ state: 'off', off_reason: 'gone' });
  }
});

it('of two programs that events are forwarded to, the connection of the one that ended is closed', async () => {
  const running = await ownSource(shared);
  const { port, close } = await listen(createServer((_request, response) => response.end()));
  closeAfterTest(close);
  const connections: Socket[] = [];
  const note = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.remotePort === port) connections.push(socket);
  };
  subscribeTo('undici:client:connected', note);
  closeAfterTest(() => unsubscribe('undici:client:connected', note));
  const { source } = running;
  const forward = () => {
    const ready = Promise.withResolvers<void>();
    const forwarded = running.relay.stream.forward({
      source,
      url: new URL(`http://127.0.0.1:${port}`),
      signingSecret: `whsec_${'a'.repeat(43)}=`,
      signal: new AbortController().signal,
      onReady: ready.resolve,
    });
    const results = forwarded[Symbol.asyncIterator]();
    return { first: results.next(), ready: ready.promise, end: () => results.return?.() };
  };
  const [one, other] = [forward(), forward()];
  await Promise.all([one.ready, other.ready]);
  await running.deliver({ id: 'forwarded', type });
  await Promise.all([one.first, other.first]);
  const open = () => connections.filter(({ destroyed }) => !destroyed).length;
  expect(open()).toBe(2);
  // Now: an idle one ends on its own after two seconds.
  await one.end();
  expect(open()).toBe(1);
  await other.end();
});

it('the sources are read again after a second, whether the clock ran or was set back', async () => {
  let [now, reads] = [1_000_000, 0];
  const query = async () => {
    reads += 1;
    return { rows: [] };
  };
  const sources = new IngressSources({ clock: { now: () => now }, pool: { query } } as never);
  for (const [ms, expected] of [
    [0, 1],
    [999, 1],
    [1, 2],
    [-999, 2],
    [-1, 3],
  ] as const) {
    now += ms;
    await sources.find('main');
    expect(reads).toBe(expected);
  }
});

it.each(['from', 'to', 'search'])('a position and %s exclude each other', async (name) => {
  const value = name === 'search' ? 'x' : '2027-03-01T00:00:00Z';
  const { status, body } = await shared.call('GET', `/events?after=newest&${name}=${value}`);
  expect([status, body.detail]).toEqual([
    400,
    expect.stringContaining('leave out from, to and search'),
  ]);
});
