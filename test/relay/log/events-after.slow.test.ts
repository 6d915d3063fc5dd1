import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { eventually } from '../../support/eventually.ts';
import { onDatabase, type Running, start } from '../support/running-relay.ts';

const paid = 'campaign.paid';
const redeemed = 'coupon.redeemed';

interface Events {
  readonly data: readonly { readonly payload: { readonly id: string } }[];
}

const idsOf = ({ data }: Events): string[] => data.map(({ payload }) => payload.id);

let count = 0;

/** Delivers an event with a new ID to a relay. */
async function happens(to: Running, type = paid): Promise<string> {
  count += 1;
  const id = `evt_${count}`;
  expect((await to.deliver({ id, type })).status).toBe(202);
  return id;
}

/** Reads the events of a relay after a position. */
function readerOf(running: Running) {
  const list = async (query: string) => (await running.call('GET', `/events?${query}`)).body;
  const newest = async (): Promise<string> => (await list('after=newest')).pagination.position;
  const eventsAfter = (position: string, more = '') => list(`after=${position}${more}`);

  /** Everything after a position, in pages. */
  async function readAll(position: string, more = ''): Promise<string[]> {
    const page = await eventsAfter(position, more);
    const { has_more: hasMore, position: next, cursor } = page.pagination;
    expect(cursor).toBe(hasMore ? next : null);
    return [...idsOf(page), ...(hasMore ? await readAll(next, more) : [])];
  }

  return { list, newest, eventsAfter, readAll };
}

const day = 24 * 3_600_000;

let running: Running;
let reader: ReturnType<typeof readerOf>;

beforeEach(async () => {
  running = await start();
  reader = readerOf(running);
});

describe('a list of events after a position', () => {
  it('has those that arrived since, the first one first', async () => {
    await happens(running);
    const position = await reader.newest();
    expect(await reader.eventsAfter(position)).toEqual({
      data: [],
      pagination: { cursor: null, has_more: false, position },
    });
    const expected = [await happens(running), await happens(running), await happens(running)];
    expect(await reader.readAll(position)).toEqual(expected);
    expect(await reader.readAll(position, '&limit=1')).toEqual(expected);
    // A cursor continues it like any other list.
    const { cursor } = (await reader.eventsAfter(position, '&limit=1')).pagination;
    const next = await reader.eventsAfter(position, `&cursor=${cursor}`);
    expect(idsOf(next)).toEqual(expected.slice(1));
  });

  it('starts anywhere: each event says its position', async () => {
    const first = await happens(running);
    await running.relay.clock.advance(1);
    const second = await happens(running);
    const { data } = await reader.list('');
    expect(idsOf({ data })).toEqual([second, first]);
    expect(await reader.readAll(data[1].position)).toEqual([second]);
    const { body } = await running.call('GET', `/events/${data[1].id}`);
    expect(body.position).toBe(data[1].position);
  });

  it('finds those of a type, however many others there are', async () => {
    const position = await reader.newest();
    for (let nth = 0; nth < 5; nth += 1) await happens(running);
    const expected = [await happens(running, redeemed), await happens(running, redeemed)];
    expect(await reader.readAll(position, `&type=${redeemed}&limit=1`)).toEqual(expected);
  });

  it.each([
    ['after=12-xyz', 'after must be a position from the relay, unchanged, or newest.'],
    ['after=0&cursor=abc', 'cursor must be a position from the relay, unchanged, or newest.'],
    ['after=', 'after must be a position from the relay, unchanged, or newest.'],
    ['after=0&from=2027-03-01T09:00:00Z', 'after: leave out from, to and search.'],
  ])('rejects %s', async (query, detail) => {
    expect(await reader.list(query)).toMatchObject({ status: 400, detail });
  });
});

it('the order of events does not depend on the clocks of the processes that stored them', async () => {
  const { databaseUrl } = running;
  const clocks = ['2999-12-31T23:00:00Z', '1971-01-01T00:00:00Z', '2027-03-01T09:00:00Z'];
  // By the first clock, all events are old.
  const retentionDays = 1_000_000;
  const relays = await Promise.all(
    clocks.map((startAt) => start({ databaseUrl, startAt, retentionDays })),
  );
  const position = await reader.newest();
  const expected: string[] = [];
  for (const relay of [...relays, ...relays]) expected.push(await happens(relay));
  expect(await reader.readAll(position)).toEqual(expected);
});

it('an event whose commit is late is not missed by a reader who saw a later one', async () => {
  const other = await start({ databaseUrl: running.databaseUrl });
  const position = await reader.newest();
  const found = await onDatabase(running.databaseUrl, async (client) => {
    // Holds up the first ingest after it has its number.
    await client.query(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
      CREATE TRIGGER wait AFTER INSERT ON event FOR EACH ROW
        WHEN (convert_from(NEW.body, 'UTF8') LIKE '%"type":"${redeemed}"%') EXECUTE FUNCTION wait()`);
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(1)');
    const late = happens(running, redeemed);
    await eventually(async () => (await waiting(client)) === 1, 'the late event waits');
    const next = happens(other);
    let isStored = false;
    void next.then(() => {
      isStored = true;
    });
    await eventually(
      async () => isStored || (await waiting(client)) === 2,
      'the next event is stored, or waits',
    );
    const first = await reader.eventsAfter(position);
    await client.query('COMMIT');
    const stored = await Promise.all([late, next]);
    const read = [...idsOf(first), ...(await reader.readAll(first.pagination.position))];
    return { stored, read };
  });
  expect(found.read).toEqual(found.stored);
});

async function waiting(client: Client): Promise<number> {
  const { rows } = await client.query(
    "SELECT count(*)::integer AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
  );
  return rows[0].count;
}

describe('a position from long ago', () => {
  it('of which nothing was lost still works, though its own event was pruned', async () => {
    await happens(running, redeemed);
    const position = await reader.newest();
    await happens(running);
    await running.relay.clock.advance(2 * day);
    await running.relay.prune(day);
    expect(await reader.readAll(position, `&type=${redeemed}`)).toEqual([]);
    const next = await happens(running, redeemed);
    expect(await reader.readAll(position, `&type=${redeemed}`)).toEqual([next]);
  });

  it('after which events were pruned is gone, and the response says where to continue', async () => {
    const position = await reader.newest();
    await happens(running);
    await running.relay.clock.advance(2 * day);
    const kept = await happens(running);
    await running.relay.prune(day);
    const problem = await reader.eventsAfter(position);
    expect(problem).toEqual({
      type: 'urn:screen-advertising:relay:problem:position-gone',
      title: 'Position gone',
      status: 410,
      detail:
        'The relay has deleted events after this position, since they were older than it keeps them. Continue after the position in this response, with the events that it still has.',
      position: expect.any(String),
    });
    expect(await reader.readAll(problem.position)).toEqual([kept]);
  });

  it('which a restored database has never reached, or assigned to another event, is gone', async () => {
    const common = await happens(running);
    const start = await reader.newest();
    await happens(running);
    const lost = await reader.newest();
    await running.query('DELETE FROM event WHERE position = (SELECT max(position) FROM event)');
    await running.query(`SELECT setval('event_position', (SELECT max(position) FROM event))`);
    const unknown = {
      status: 410,
      detail:
        'The relay does not know this position, perhaps because its database was restored from a backup. Continue after the position in this response, which is the newest.',
    };
    expect(await reader.eventsAfter(lost)).toMatchObject({ ...unknown, position: start });
    const again = await happens(running);
    expect(await reader.eventsAfter(lost)).toMatchObject({
      ...unknown,
      position: await reader.newest(),
    });
    expect(await reader.readAll(start)).toEqual([again]);
    expect(common).not.toBe(again);
  });
});
