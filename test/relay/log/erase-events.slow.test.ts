import { describe, expect, it } from '@jest/globals';
import { searchHash } from '../../../packages/relay/src/log/search.ts';
import { eventually } from '../../support/eventually.ts';
import { openPage } from '../page/support.ts';
import { rawResponse, startActor } from '../support/actor.ts';
import { command as runCommand } from '../support/command.ts';
import {
  onDatabase,
  type Running,
  sourceSecret,
  start,
  subscribe,
} from '../support/running-relay.ts';

const anna = 'Anna.Maier@Example.com';
const ben = 'ben@example.com';
const type = 'user.registered';

const eventOf = (id: string, email: string) => ({ id, type, data: { lead: { email } } });
const echo = (status: number, email: string) =>
  rawResponse(status, { 'content-type': 'text/plain' }, `no user ${email}`);

async function command({ databaseUrl }: Running, ...args: string[]) {
  const environment = { DATABASE_URL: databaseUrl };
  const { code, output, errors } = await runCommand([...args, '--json'], environment);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(output);
}

/** Two of Anna's events and one of Ben's: delivered, pending, and unread by a subscription that is off. */
async function lived(): Promise<Running> {
  const running = await start();
  const target = await startActor([
    echo(200, anna),
    echo(500, anna),
    echo(500, ben),
    ...Array(4).fill(echo(500, 'x')),
  ]);
  await subscribe(running, target.url, { events: [type] });
  const off = await subscribe(running, `${target.url}/off`, { events: [type] });
  await running.call('PATCH', `/subscriptions/${off}`, { state: 'off' });
  for (const id of ['a1', 'a2', 'b1']) {
    await running.deliver(eventOf(id, id === 'b1' ? ben : anna));
    await running.relay.clock.advance(1_000);
  }
  return running;
}

/** Everything that is stored of the events with this ID. */
async function rowsOf({ query }: Running, key: string): Promise<unknown[]> {
  const text = `SELECT to_jsonb(event) AS event, to_jsonb(delivery) AS delivery, to_jsonb(attempt) AS attempt
    FROM event LEFT JOIN delivery USING (source_number, position)
    LEFT JOIN attempt USING (source_number, position, subscription_number)
    WHERE convert_from(body, 'UTF8') LIKE $1 ORDER BY number`;
  return (await query(text, [`%"${key}"%`])).rows;
}

/** Tables in which any row has the value, and `index` if an index still finds it. */
async function tablesWith(databaseUrl: string, value: string): Promise<string[]> {
  const hash = searchHash(1, value);
  const forms = [value, Buffer.from(value).toString('hex'), hash];
  return onDatabase(databaseUrl, async (client) => {
    const tables = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    const found: string[] = [];
    const look = async (name: string, text: string, values: unknown[]) => {
      if ((await client.query(`${text} LIMIT 1`, values)).rowCount !== 0) found.push(name);
    };
    const holds = 'SELECT FROM unnest($1::text[]) AS form WHERE strpos(one::text, form) > 0';
    for (const { name } of tables.rows) {
      await look(name, `SELECT FROM ${name} AS one WHERE EXISTS (${holds})`, [forms]);
    }
    await client.query('SET enable_seqscan = off');
    await look('index', 'SELECT FROM event WHERE search_hashes @> ARRAY[$1::bigint]', [hash]);
    return found;
  });
}

describe('an erasure', () => {
  it('leaves nothing of a person in any table, index, list or page', async () => {
    const running = await lived();
    const { databaseUrl, call, relay } = running;
    expect(await tablesWith(databaseUrl, anna)).toEqual(['event', 'attempt', 'index']);
    const before = await rowsOf(running, 'b1');
    expect(before).toHaveLength(1);

    expect(await command(running, 'events', 'erase', ` ${anna.toUpperCase()} `)).toEqual({
      erased: 2,
    });
    expect(await tablesWith(databaseUrl, anna)).toEqual([]);
    expect(await rowsOf(running, 'b1')).toEqual(before);
    expect(await command(running, 'events', 'erase', anna)).toEqual({ erased: 0 });

    const { body: list } = await call('GET', '/events');
    expect(list.data.map(({ payload }: { payload: { id: string } }) => payload.id)).toEqual(['b1']);
    const following = await call('GET', '/events?after=0');
    expect(following.body.data).toHaveLength(1);
    // The rest of its retries, and what the other subscription has not read.
    const { body: deliveries } = await call('GET', '/deliveries');
    expect(deliveries.data).toMatchObject([
      { state: 'pending', reason: null },
      { state: 'dead', reason: 'erased' },
      { state: 'delivered', reason: null },
    ]);
    await relay.clock.advance(60_000);
    expect((await call('GET', '/deliveries')).body.data[1].attempts).toHaveLength(1);
    // It stays, so a duplicate is not stored.
    expect((await running.deliver(eventOf('a2', anna))).body).toEqual({ stored: false });
  });

  it('leaves no sample of a body or response in the statistics of PostgreSQL', async () => {
    const { query } = await lived();
    await query('ANALYZE event, attempt');
    const { rows } = await query(`SELECT tablename, attname FROM pg_stats
      WHERE attname IN ('type', 'body', 'status', 'response') ORDER BY 1`);
    expect(rows).toEqual([
      { tablename: 'attempt', attname: 'status' },
      { tablename: 'event', attname: 'type' },
    ]);
  });

  it('reads over erased events, and delivers those of others', async () => {
    const running = await lived();
    const { call, relay } = running;
    await command(running, 'events', 'erase', anna);
    const receiver = await startActor();
    const id = await subscribe(running, receiver.url, { events: ['*'] });
    const missing = { missing: true, from: '2027-03-01T00:00:00Z' };
    await call('POST', `/subscriptions/${id}/redeliver`, missing);
    const { data } = (await call('GET', '/subscriptions')).body;
    const off = data.find(({ state }: { state: string }) => state === 'off');
    await call('PATCH', `/subscriptions/${off.id}`, { state: 'active' });
    await relay.clock.advance(1_000);
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.requests[0]).toContain(ben);
    const { body: own } = await call('GET', `/deliveries?subscription_id=${off.id}`);
    expect(own.data).toHaveLength(1);
  });

  it('keeps no response of an attempt that it overtook, and no retry follows', async () => {
    const running = await start();
    const [arrived, respond] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const target = await startActor([
      async (socket) => {
        arrived.resolve();
        await respond.promise;
        socket.write(echo(500, anna));
      },
    ]);
    await subscribe(running, target.url, { events: [type] });
    await running.deliver(eventOf('a1', anna));
    const advanced = running.relay.clock.advance(1_000);
    await arrived.promise;
    expect(await running.relay.operate('events.erase', { search: anna })).toEqual({ erased: 1 });
    respond.resolve();
    await advanced;
    expect(await tablesWith(running.databaseUrl, anna)).toEqual([]);
    const { body } = await running.call('GET', '/deliveries');
    expect(body.data).toMatchObject([{ state: 'dead', reason: 'erased', next_attempt_at: null }]);
  });

  it('reaches one event by its ID, values beyond the search, and only one source', async () => {
    const running = await start();
    const list = Array.from({ length: 600 }, (_, nth) => `value ${nth}`);
    const long = (id: string, email: string) => ({ id, type, data: { email, list } });
    await running.deliver(long('a1', anna));
    await running.deliver(long('b1', ben));
    await running.relay.sources.add('other', sourceSecret);
    await running.relay.clock.advance(1_000);
    await running.deliver(eventOf('a1', anna), { source: 'other' });
    expect((await running.call('GET', `/events?search=${anna}`)).body.data).toEqual([]);
    expect(await running.relay.operate('events.erase', { search: anna, source: 'main' })).toEqual({
      erased: 1,
    });
    const [left] = (await running.relay.operate('events.list', { source: 'main' })).data;
    expect(left?.payload).toMatchObject({ id: 'b1' });
    expect((await running.relay.operate('events.list', { source: 'other' })).data).toHaveLength(1);
    const id = left?.id ?? '';
    expect(await running.relay.operate('events.erase', { search: id, source: 'other' })).toEqual({
      erased: 0,
    });
    expect(await running.relay.operate('events.erase', { search: id, source: 'main' })).toEqual({
      erased: 1,
    });
    expect((await running.call('GET', `/events/${id}`)).body).toMatchObject({
      data: null,
      payload: null,
      is_erased: true,
    });
  });

  it('reaches names of headers of refused deliveries', async () => {
    const running = await start();
    const code = 'Summer-Code-10';
    await fetch(`${running.url}/in/main`, { method: 'POST', headers: { [code]: 'x' }, body: '{}' });
    expect(await tablesWith(running.databaseUrl, code.toLowerCase())).toEqual(['refusal']);
    await running.relay.operate('events.erase', { search: code });
    expect(await tablesWith(running.databaseUrl, code.toLowerCase())).toEqual([]);
  });

  it('is offered on the page, which marks erased events and delivers them no more', async () => {
    const opened = await openPage();
    const { visitor, deliver, call } = opened;
    await deliver(eventOf('a1', anna));
    const { id } = (await call('GET', '/events')).body.data[0];
    const found = await visitor.get(`/operator/events?search=${encodeURIComponent(anna)}`);
    expect(found.html).toContain('Erase for good');
    expect((await visitor.get('/operator/events')).html).not.toContain('Erase for good');
    expect(await visitor.submit('events.erase', { search: anna, from: '/operator/events' })).toBe(
      'Erased 1 event.',
    );
    expect((await visitor.get('/operator/events')).html).toContain('>erased</span>');
    const page = (await visitor.get(`/operator/events/${id}`)).html;
    expect(page).toContain('Erased: the relay keeps no payload');
    expect(page).not.toContain('<button>Deliver');
    const refused = 'The event was erased, so nothing can be delivered.';
    expect(await visitor.submit('events.redeliver', { event: id })).toBe(refused);
    expect((await call('POST', `/events/${id}/redeliver`, {})).body.detail).toBe(refused);
  });

  it('that is killed between two commits is continued by another process', async () => {
    const running = await lived();
    const { databaseUrl, relay } = running;
    await onDatabase(databaseUrl, async (client) => {
      // More than one batch.
      await client.query(`INSERT INTO event (source_number, id, key, type, body, search_hashes, received_at)
        SELECT source_number, uuidv7(), 'id:' || nth, type, body, search_hashes, received_at
        FROM event, generate_series(1, 600) AS nth WHERE convert_from(body, 'UTF8') LIKE '%"a1"%'`);
      // Stops the erasure after the first commit of its first batch.
      await client.query('BEGIN; LOCK TABLE attempt IN SHARE MODE');
      const erased = expect(relay.operate('events.erase', { search: anna })).rejects.toThrow();
      const waiting = "SELECT pid FROM pg_locks WHERE mode = 'RowExclusiveLock' AND NOT granted";
      let pid: number | undefined;
      await eventually(async () => {
        pid = (await client.query(waiting)).rows[0]?.pid;
        return pid !== undefined;
      }, 'the erasure waits for the lock');
      await client.query('SELECT pg_terminate_backend($1)', [pid]);
      await erased;
      await client.query('ROLLBACK');
    });
    expect(await tablesWith(databaseUrl, anna)).not.toEqual([]);
    for (const ms of [16_000, 0]) await relay.clock.advance(ms);
    expect(await tablesWith(databaseUrl, anna)).toEqual([]);
    expect(await tablesWith(databaseUrl, ben)).toEqual(['event', 'attempt', 'index']);
  });
});
