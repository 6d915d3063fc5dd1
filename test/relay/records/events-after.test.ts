import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { eventually } from '../../support/eventually.ts';
import { onDatabase } from '../support/database.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

const day = 24 * 3_600_000;
const [paid, redeemed] = ['campaign.paid', 'coupon.redeemed'];

let shared: Running;
let running: Running;
let count = 0;

beforeAll(async () => {
  shared = await start();
});

async function happens(type = paid, to = running): Promise<string> {
  count += 1;
  const id = `evt_${count}`;
  expect((await to.deliver({ id, type })).status).toBe(202);
  return id;
}

const list = async (query: string) => (await running.call('GET', `/events?${query}`)).body;
const newest = async (): Promise<string> => (await list('after=newest')).pagination.position;
const eventsAfter = async (position: string, more = '') => await list(`after=${position}${more}`);
const idsOf = ({ data }: { data: { payload: { id: string } }[] }) =>
  data.map(({ payload }) => payload.id);

/** Everything after a position, in pages. */
async function readAll(position: string, more = ''): Promise<string[]> {
  const page = await eventsAfter(position, more);
  const { has_more: hasMore, position: next, cursor } = page.pagination;
  expect(cursor).toBe(hasMore ? next : null);
  return [...idsOf(page), ...(hasMore ? await readAll(next, more) : [])];
}

describe('a list of events after a position', () => {
  beforeEach(async () => {
    running = await ownSource(shared);
  });

  it('has those that arrived since, the first one first', async () => {
    await happens();
    const position = await newest();
    expect(await eventsAfter(position)).toEqual({
      data: [],
      pagination: { cursor: null, has_more: false, position },
    });
    const expected = [await happens(), await happens(), await happens()];
    expect(await readAll(position)).toEqual(expected);
    expect(await readAll(position, '&limit=1')).toEqual(expected);
  });

  it('continues with a cursor like any other list', async () => {
    const position = await newest();
    const expected = [await happens(), await happens()];
    const first = await eventsAfter(position, '&limit=1');
    const second = await eventsAfter(position, `&limit=1&cursor=${first.pagination.cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(expected);
    expect(second.pagination.has_more).toBe(false);
  });

  it('starts anywhere: each event says its position', async () => {
    const first = await happens();
    await running.relay.clock.advance(1);
    const second = await happens();
    const { data } = await list('');
    expect(idsOf({ data })).toEqual([second, first]);
    expect(await readAll(data[1].position)).toEqual([second]);
    const { body } = await running.call('GET', `/events/${data[1].id}`);
    expect(body.position).toBe(data[1].position);
  });

  it('finds those of a type, however many others there are', async () => {
    const position = await newest();
    for (let nth = 0; nth < 5; nth += 1) await happens();
    const expected = [await happens(redeemed), await happens(redeemed)];
    expect(await readAll(position, `&type=${redeemed}&limit=1`)).toEqual(expected);
  });

  it('does not depend on the clocks of the processes that stored them', async () => {
    running = await start();
    const { databaseUrl } = running;
    const clocks = ['2999-12-31T23:00:00Z', '1971-01-01T00:00:00Z', '2027-03-01T09:00:00Z'];
    // By the first clock, all events are old.
    const retentionDays = 1_000_000;
    const relays = await Promise.all(
      clocks.map((startAt) => start({ databaseUrl, startAt, retentionDays })),
    );
    const position = await newest();
    const expected: string[] = [];
    for (const relay of [...relays, ...relays]) expected.push(await happens(paid, relay));
    expect(await readAll(position)).toEqual(expected);
  });

  it.each([
    ['after=12-xyz', 'after: use a position from the relay, unchanged, or newest.'],
    ['after=0&cursor=abc', 'cursor: use a position from the relay, unchanged, or newest.'],
    ['after=', 'after: use a position from the relay, unchanged, or newest.'],
    ['after=0&from=2027-03-01T09:00:00Z', 'after: leave out from, to and search.'],
  ])('rejects %s', async (query, detail) => {
    expect(await list(query)).toMatchObject({ status: 400, detail });
  });
});

it('an event whose commit is late is not missed by a reader who saw a later one', async () => {
  running = await start();
  const other = await start({ databaseUrl: running.databaseUrl });
  const position = await newest();
  const found = await onDatabase(running.databaseUrl, async (client) => {
    // Holds up the first ingest after it has its number.
    await client.query(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
      CREATE TRIGGER wait AFTER INSERT ON event FOR EACH ROW
        WHEN (convert_from(NEW.body, 'UTF8') LIKE '%"evt_${count + 1}"%') EXECUTE FUNCTION wait()`);
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(1)');
    const late = happens();
    await eventually(async () => (await waiting(client)) === 1);
    const next = happens(paid, other);
    let isStored = false;
    void next.then(() => {
      isStored = true;
    });
    await eventually(async () => isStored || (await waiting(client)) === 2);
    const first = await eventsAfter(position);
    await client.query('COMMIT');
    await Promise.all([late, next]);
    return [...idsOf(first), ...(await readAll(first.pagination.position))];
  });
  expect(found).toEqual([`evt_${count - 1}`, `evt_${count}`]);
});

async function waiting(client: Client): Promise<number> {
  const { rows } = await client.query(
    "SELECT count(*)::integer AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
  );
  return rows[0].count;
}

describe('a position from long ago', () => {
  beforeEach(async () => {
    running = await start();
  });

  it('of which nothing was lost still works, though its own event was pruned', async () => {
    await happens(redeemed);
    const position = await newest();
    await happens(paid);
    await running.relay.clock.advance(2 * day);
    await running.relay.prune(day);
    expect(await readAll(position, `&type=${redeemed}`)).toEqual([]);
    const next = await happens(redeemed);
    expect(await readAll(position, `&type=${redeemed}`)).toEqual([next]);
  });

  it('after which events were pruned is gone, and the response says where to continue', async () => {
    const position = await newest();
    await happens();
    await running.relay.clock.advance(2 * day);
    const kept = await happens();
    await running.relay.prune(day);
    const problem = await eventsAfter(position);
    expect(problem).toEqual({
      type: 'urn:screen-advertising:relay:problem:position-gone',
      title: 'Position gone',
      status: 410,
      detail:
        'The relay has deleted events after this position, since they were older than it keeps them. Continue after the position in this response, with the events that it still has.',
      position: expect.any(String),
    });
    expect(await readAll(problem.position)).toEqual([kept]);
  });

  it('which a restored database has never reached, or assigned to another event, is gone', async () => {
    const common = await happens();
    const start = await newest();
    await happens();
    const lost = await newest();
    await onDatabase(running.databaseUrl, async (client) => {
      await client.query('DELETE FROM event WHERE position = (SELECT max(position) FROM event)');
      await client.query(`SELECT setval('event_position', (SELECT max(position) FROM event))`);
    });
    const unknown = {
      status: 410,
      detail:
        'The relay does not know this position, perhaps because its database was restored from a backup. Continue after the position in this response, which is the newest.',
    };
    expect(await eventsAfter(lost)).toMatchObject({ ...unknown, position: start });
    const again = await happens();
    expect(await eventsAfter(lost)).toMatchObject({ ...unknown, position: await newest() });
    expect(await readAll(start)).toEqual([again]);
    expect(common).not.toBe(again);
  });
});
