import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ownSource, type Running, start } from '../../support/running-relay.ts';
import { happens, idsOf, readerOf, redeemed } from './reader.ts';

let shared: Running;
let running: Running;
let reader: ReturnType<typeof readerOf>;

beforeAll(async () => {
  shared = await start();
});

describe('a list of events after a position', () => {
  beforeEach(async () => {
    running = await ownSource(shared);
    reader = readerOf(running);
  });

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
  });

  it('continues with a cursor like any other list', async () => {
    const position = await reader.newest();
    const expected = [await happens(running), await happens(running)];
    const first = await reader.eventsAfter(position, '&limit=1');
    const second = await reader.eventsAfter(position, `&limit=1&cursor=${first.pagination.cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(expected);
    expect(second.pagination.has_more).toBe(false);
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
