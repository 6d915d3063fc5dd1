import { afterEach, describe, expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { allParts, callTool, type List } from './support/call.ts';
import { connect } from './support/connect.ts';

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
  Array.from({ length: count }, (_, index) => ({ id: index, text: 'x'.repeat(characters) }));

const idsOf = (parts: readonly List[]) => parts.flatMap(({ data }) => data.map(({ id }) => id));

const period = { from: '2027-03-01', to: '2027-03-31' };

describe('a list', () => {
  it('arrives complete in as many responses as needed, none of them long', async () => {
    const { baseUrl, full } = await start({ screens: 70 });
    const client = await connect(environment(baseUrl, full));
    const parts = await allParts(client, 'list_screens');
    const ids = idsOf(parts);
    expect(new Set(ids).size).toBe(ids.length);
    expect(parts.at(-1)?.pagination).toMatchObject({ has_more: false, total_count: ids.length });
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(26_000);
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
      expect(record).toMatchObject({ data: [], note });
    }
  });

  it('continues with the cursor of the service after the last record of a page', async () => {
    const client = await withPages(
      'GET /screens',
      { data: records(2, 9), pagination: { cursor: '7~7', has_more: true, total_count: 4 } },
      { data: records(2, 9), pagination: { cursor: null, has_more: false, total_count: 4 } },
    );
    const parts = await allParts(client, 'list_screens', { limit: 2 });
    expect(parts.map(({ pagination }) => pagination)).toEqual([
      { cursor: '0~7~7', has_more: true, total_count: 4 },
      { has_more: false, total_count: 4 },
    ]);
    const asked = service
      .receivedFor('GET /screens')
      .map(({ path }) => new URLSearchParams(path.split('?')[1]));
    expect(asked.map((query) => query.get('cursor'))).toEqual([null, '7~7']);
  });

  it('has no more records than an assistant asks for, where the service takes no page size', async () => {
    const { baseUrl, full } = await start({ screens: 70 });
    const client = await connect(environment(baseUrl, full));
    const input = { ...period, limit: 2 };
    const all = await callTool(client, 'find_available_screens', period);
    const parts = await allParts(client, 'find_available_screens', input);
    expect(Math.max(...parts.map(({ data }) => data.length))).toBe(2);
    expect(parts.flatMap(({ data }) => data)).toHaveLength(
      Number((all.record as { pagination: { total_count: number } }).pagination.total_count),
    );
    const { text } = await callTool(client, 'find_available_screens', { ...period, limit: 0 });
    expect(text).toBe(
      'Find Available Screens was not sent: limit must be a whole number of at least 1. Correct the arguments and call the tool again.',
    );
  });

  it('refuses a cursor from elsewhere', async () => {
    const client = await withPages('GET /screens', { data: [] });
    const { text, isError } = await callTool(client, 'list_screens', { cursor: 'page 2' });
    expect({ text, isError }).toEqual({
      text: 'List Screens was not sent: cursor is not valid: leave it out to start at the beginning of the list. Correct the arguments and call the tool again.',
      isError: true,
    });
    expect(service.received).toEqual([]);
  });
});

describe('a record', () => {
  it('reaches a client that checks schemas even when its fields have other types', async () => {
    const record = { id: 7, price_per_day_cents: '12900', is_active: 'yes', more: [1] };
    const client = await withPages('GET /screens/7', record);
    await client.listTools();
    const { record: given, isError } = await callTool(client, 'get_screen', { screenId: '7' });
    expect({ given, isError }).toEqual({ given: record, isError: false });
  });
});

describe('a search of many requests', () => {
  it('continues at its cursor without new requests to the service', async () => {
    const { baseUrl, full, sandbox } = await start({ screens: 70 });
    const client = await connect(environment(baseUrl, full));
    const first = await callTool(client, 'find_available_screens', period);
    const { pagination } = first.record as unknown as List;
    expect(pagination.has_more).toBe(true);
    const requests = sandbox.journal.list().length;
    const rest = await allParts(client, 'find_available_screens', {
      ...period,
      cursor: pagination.cursor,
    });
    expect(sandbox.journal.list().length).toBe(requests);
    const prices = [first.record as unknown as List, ...rest].flatMap(({ data }) =>
      data.map(({ total_price_cents }) => Number(total_price_cents)),
    );
    expect(prices).toHaveLength((pagination as { total_count?: number }).total_count ?? 0);
    expect(prices).toEqual([...prices].sort((one, other) => one - other));
    const lost = await callTool(client, 'find_available_screens', { ...period, cursor: '9~gone' });
    expect(lost.text).toContain('Find Available Screens was not sent: cursor is not valid');
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
});
