import { afterEach, describe, expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { callTool } from './support/call.ts';
import { connect } from './support/connect.ts';
import { allParts, callList, type List, recordsIn } from './support/lists.ts';

const service = new ScriptedService();
afterEach(() => service.stop().catch(() => undefined));

/** A client of a service that responds to list requests with these pages. */
async function withPages(route: string, ...pages: readonly unknown[]) {
  await service.start();
  service.reset();
  service.on(route, ...pages.map((body) => ({ body })));
  return connect(environment(service.baseUrl, { apiKey: 'svc_key' }));
}

const records = (count: number, characters: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index, name: 'x'.repeat(characters) }));

const recordsOf = (parts: readonly List[]) => parts.flatMap(recordsIn);
const again = 'Correct the arguments and call the tool again.';

const period = { from: '2027-03-01', to: '2027-03-31' };

describe('a list', () => {
  it('arrives complete in as many responses as needed, filled to 20,000 characters', async () => {
    const { baseUrl, full } = await start({ screens: 400 });
    const client = await connect(environment(baseUrl, full));
    const parts = await allParts(client, 'list_screens');
    const ids = recordsOf(parts).map(({ screen_id }) => screen_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(parts.at(-1)).toMatchObject({ has_more: false, total_count: ids.length });
    const lengths = parts.map(({ rows }) => JSON.stringify(rows).length);
    expect(lengths.length).toBeGreaterThan(1);
    expect(Math.max(...lengths)).toBeLessThan(21_000);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThan(19_000);
  });

  it('has few columns, and others if they are asked for', async () => {
    const { baseUrl, full } = await start({ screens: 3 });
    const client = await connect(environment(baseUrl, full));
    const { columns, rows } = await callList(client, 'list_screens', { limit: 1 });
    expect(columns).toEqual(['screen_id', 'name', 'city', 'venue_type', 'price_per_day_cents']);
    expect(rows).toHaveLength(1);
    const named = await callList(client, 'list_screens', { fields: ['address', 'screen_id'] });
    expect(named.columns).toEqual(['address', 'screen_id']);
    const { columns: all } = await callList(client, 'list_screens', { fields: 'all' });
    expect(all).toEqual(expect.arrayContaining(['description', 'thumbnail_url', 'created_at']));
    expect(await callList(client, 'list_screens', { fields: ['name', 'size'] })).toMatchObject({
      columns: ['name'],
      note: 'No row has size: see fields.',
    });
    const { text } = await callTool(client, 'list_screens', { fields: [{ a: 1 }] });
    expect(text).toBe(`List Screens was not sent: fields must be text, not an object. ${again}`);
  });

  it('that is empty says which value no record has', async () => {
    const { baseUrl, full } = await start();
    const client = await connect(environment(baseUrl, full));
    const note = 'No screen is in "Berln". Did you mean "Berlin"?';
    for (const [tool, more] of [
      ['list_screens', {}],
      ['find_available_screens', period],
    ] as const) {
      const { record } = await callTool(client, tool, { city: 'Berln', ...more });
      expect(record).toMatchObject({ rows: [], has_more: false, note });
    }
  });

  it('reads short pages of the service until a result is full', async () => {
    const page = (id: string, cursor: string | null) => ({
      data: [{ id, name: 'x' }],
      pagination: { cursor, has_more: cursor !== null, total_count: 3 },
    });
    const client = await withPages(
      'GET /screens',
      page('a', '7~7'),
      page('b', '8'),
      page('c', null),
    );
    const parts = await allParts(client, 'list_screens', { limit: 2 });
    expect(parts).toMatchObject([
      {
        rows: [
          ['a', 'x'],
          ['b', 'x'],
        ],
        has_more: true,
        total_count: 3,
      },
      { rows: [['c', 'x']], has_more: false, total_count: 3 },
    ]);
    expect(parts[0]?.cursor).toMatch(/^[\w-]{8}\.0\.8$/);
    const asked = service
      .receivedFor('GET /screens')
      .map(({ path }) => new URLSearchParams(path.split('?')[1]));
    expect(asked.map((query) => query.get('cursor'))).toEqual([null, '7~7', '8']);
    expect(asked.map((query) => query.get('limit'))).toEqual(['200', '200', '200']);
  });

  it('continues within a page of the service that is too long for one result', async () => {
    const long = { data: records(30, 1000), pagination: { has_more: false, total_count: 30 } };
    const client = await withPages('GET /screens', long);
    const parts = await allParts(client, 'list_screens');
    expect(parts.map(({ rows }) => rows.length)).toEqual([19, 11]);
    expect(recordsOf(parts).map(({ screen_id }) => screen_id)).toEqual(
      Array.from({ length: 30 }, (_, index) => index),
    );
  });

  it('returns the rows that were read when a later page fails, with a cursor for the rest', async () => {
    const client = await withPages('GET /screens', {
      data: records(2, 9),
      pagination: { cursor: 'two', has_more: true, total_count: 4 },
    });
    service.on(
      'GET /screens',
      { body: { data: records(2, 9), pagination: { cursor: 'two', has_more: true } } },
      { status: 400, body: { type: 'x', title: 'Old', status: 400, detail: 'Cursor expired.' } },
    );
    const list = await callList(client, 'list_screens');
    expect(list).toMatchObject({
      rows: [{ length: 2 }, { length: 2 }],
      has_more: true,
      cursor: expect.stringMatching(/\.0\.two$/),
      note: 'More rows could not be read yet: List Screens failed: the service rejected the request (400). The service says: "Cursor expired." Check the fields you sent.',
    });
  });

  it('has no more records than an assistant asks for', async () => {
    const { baseUrl, full } = await start({ screens: 70 });
    const client = await connect(environment(baseUrl, full));
    const { total_count } = await callList(client, 'find_available_screens', period);
    const parts = await allParts(client, 'find_available_screens', { ...period, limit: 2 });
    expect(Math.max(...parts.map(({ rows }) => rows.length))).toBe(2);
    expect(recordsOf(parts)).toHaveLength(total_count ?? 0);
    const { text } = await callTool(client, 'find_available_screens', { ...period, limit: 0 });
    expect(text).toBe(
      `Find Available Screens was not sent: limit must be a whole number, 1 or more, not 0. ${again}`,
    );
  });
});

describe('a cursor', () => {
  it('from elsewhere is refused', async () => {
    const client = await withPages('GET /screens', { data: [] });
    const { text, isError } = await callTool(client, 'list_screens', { cursor: 'page 2' });
    expect({ text, isError }).toEqual({
      text: `List Screens was not sent: cursor is not valid: leave it out to start again. ${again}`,
      isError: true,
    });
    expect(service.received).toEqual([]);
  });

  it('continues only what it came from, and the input beside it is read', async () => {
    const { baseUrl, full } = await start({ screens: 70 });
    const client = await connect(environment(baseUrl, full));
    const search = { ...period, near: '52.52, 13.4', limit: 2 };
    const { cursor } = await callList(client, 'find_available_screens', search);
    const { from: _from, to: _to, ...place } = search;
    expect((await callTool(client, 'list_screens', { ...place, cursor })).text).toBe(
      `List Screens was not sent: cursor belongs to other arguments: send those, or leave it out to start again. ${again}`,
    );
    const next = await callList(client, 'find_available_screens', { ...search, limit: 3, cursor });
    expect(next.rows).toHaveLength(3);
  });
});

it('a record reaches a client that checks schemas even when its fields have other types', async () => {
  const record = { id: 7, price_per_day_cents: '12900', is_active: 'yes', more: [1] };
  const client = await withPages('GET /screens/7', record);
  await client.listTools();
  const { record: given, isError } = await callTool(client, 'get_screen', { screen_id: '7' });
  expect({ given, isError }).toEqual({ given: record, isError: false });
});

describe('a search of many requests', () => {
  it('continues at its cursor without new requests to the service', async () => {
    const { baseUrl, full, sandbox } = await start({ screens: 70 });
    const client = await connect(environment(baseUrl, full));
    const input = { ...period, limit: 20 };
    const first = await callList(client, 'find_available_screens', input);
    expect(first.has_more).toBe(true);
    const requests = sandbox.journal.list().length;
    const rest = await allParts(client, 'find_available_screens', {
      ...input,
      cursor: first.cursor,
    });
    expect(sandbox.journal.list().length).toBe(requests);
    const prices = recordsOf([first, ...rest]).map(({ total_price_cents }) => total_price_cents);
    expect(prices).toHaveLength(first.total_count ?? 0);
    expect(prices).toEqual([...prices].sort((one, other) => Number(one) - Number(other)));
    const gone = first.cursor?.replace(/[^.]+$/, 'gone');
    const lost = await callTool(client, 'find_available_screens', { ...input, cursor: gone });
    expect(lost.text).toBe(
      `Find Available Screens was not sent: cursor is no longer kept: leave it out to search again. ${again}`,
    );
  });

  it('reads fewer screens for an access with a lower rate limit', async () => {
    const { baseUrl, full } = await start({ screens: 70 });
    const env = environment(baseUrl, full);
    const client = await connect({ ...env, SCREEN_ADVERTISING_RATE_LIMIT: '60' });
    const { text } = await callTool(client, 'find_available_screens', period);
    expect(text).toContain('More than 50 screens match, too many for one run.');
  });

  it('says which screens could not be read', async () => {
    const { baseUrl, full, sandbox } = await start({ screens: 5 });
    sandbox.faults.add({ fault: 'status', status: 400, path: '/screens/*/availability', times: 1 });
    const client = await connect(environment(baseUrl, full));
    const { record } = await callTool(client, 'find_available_screens', period);
    expect(record.note).toMatch(/^Screens that could not be read: 1\. First error: .*400/);
  });

  it('says why it found none, or fewer', async () => {
    const at = (id: string, longitude: number) => ({ id, name: id, latitude: 0, longitude });
    const client = await withPages('GET /screens', {
      data: [at('here', 0), at('near', 0.01), at('full', 0.02), at('far', 1)],
      pagination: { has_more: false },
    });
    for (const [id, share, price] of [
      ['here', 40, 8400],
      ['near', 12, 9900],
      ['full', 0, 100],
    ]) {
      const body = { screen_id: id, available_sov_pct: share, price_per_day_cents: price };
      service.on(`GET /screens/${id}/availability`, { body });
    }
    const noteFor = async (changes: object) => {
      const day = { from: '2027-03-01', to: '2027-03-01', near: '0, 0', radius_km: 5 };
      const list = await callList(client, 'find_available_screens', { ...day, ...changes });
      return [list.rows.length, list.note];
    };
    const others =
      'Beyond the radius: 1 screen, the nearest 111.195 km away. Sold out in this period: 1 screen.';
    expect(await noteFor({ budget_cents: 500 })).toEqual([
      0,
      `${others} Above the budget: 2 screens, the cheapest for 84.00 (8400 cents).`,
    ]);
    expect(await noteFor({ min_available_sov_pct: 100 })).toEqual([
      0,
      `${others} Below the minimum share of voice: 2 screens, of which one has 40% available.`,
    ]);
    expect(await noteFor({ budget_cents: 9000 })).toEqual([
      1,
      `${others} Above the budget: 1 screen, the cheapest for 99.00 (9900 cents).`,
    ]);
    const nearby = await callList(client, 'list_screens', { near: '0, 0', radius_km: 0.3 });
    expect(nearby).toMatchObject({
      rows: [['here', 'here', 0]],
      note: 'Beyond the radius: 3 screens, the nearest 1.112 km away.',
    });
  });
});

describe('List Screens near a place', () => {
  it('sorts by distance, and shows it', async () => {
    const { baseUrl, full } = await start({ screens: 40 });
    const client = await connect(environment(baseUrl, full));
    const list = await callList(client, 'list_screens', { near: '52.52, 13.4', limit: 5 });
    expect(list.columns.at(-1)).toBe('distance_km');
    const distances = recordsIn(list).map(({ distance_km }) => Number(distance_km));
    expect(distances).toEqual([...distances].sort((one, other) => one - other));
  });

  it.each([
    [{ radius_km: 2 }, 'near is required with radius_km.'],
    [{ sort_by: 'nearest' }, 'near is required with sort_by.'],
    [{ near: 'nonsense' }, 'near must be'],
  ])('%j without a place is refused under its own name', async (input, words) => {
    const client = await withPages('GET /screens', { data: [] });
    const { text } = await callTool(client, 'list_screens', input);
    expect(text).toContain(`List Screens was not sent: ${words}`);
    expect(service.received).toEqual([]);
  });
});
