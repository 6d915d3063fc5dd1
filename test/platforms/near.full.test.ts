import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { typed } from '../cli/command.ts';
import { callTool } from '../mcp/support/call.ts';
import { connect } from '../mcp/support/connect.ts';
import { Engine } from '../n8n/engine/engine.ts';
import { type Listening, listen } from '../shared/support/loopback.ts';
import { createZapierRunner, type ZapierRunner } from '../zapier/app/runner.ts';
import { readZapierError } from '../zapier/app/zapier-error.ts';

/** 1.113 km east of the place, at it, 111 km away, and two that may be anywhere. */
const screens = [
  { id: 'east', name: 'East', price_per_day_cents: 100, latitude: 0, longitude: 0.01 },
  { id: 'here', name: 'Here', price_per_day_cents: 200, latitude: 0, longitude: 0 },
  { id: 'far', name: 'Far', price_per_day_cents: 1, latitude: 1, longitude: 0 },
  { id: 'bare', name: 'Bare', price_per_day_cents: 1 },
  { id: 'null', name: 'Null', price_per_day_cents: 1, latitude: null, longitude: null },
];
const near = `0°0'0"N 0°0'0"E`;
const period = { from: '2027-03-01', to: '2027-03-14' };
const leftOut = 'Screens left out because they have no coordinates: 2.';
const distances = [
  ['here', 0],
  ['east', 1.112],
];

const service = createServer((request, response) => {
  const [, id] = /^\/api\/v1\/screens\/(\w+)\/availability/.exec(request.url ?? '') ?? [];
  const list = { data: screens, pagination: { has_more: false, cursor: null, total_count: 5 } };
  const availability = { screen_id: id, ...period, available_sov_pct: 30, price_per_day_cents: 1 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(id ? availability : list));
});
let listening: Listening;
let baseUrl: string;
const apiKey = 'svc_0123456789abcdef';

beforeAll(async () => {
  listening = await listen(service);
  baseUrl = `http://127.0.0.1:${listening.port}/api/v1`;
});
afterAll(() => listening.close());

const environment = () => ({
  SCREEN_ADVERTISING_BASE_URL: baseUrl,
  SCREEN_ADVERTISING_API_KEY: apiKey,
});

describe('n8n', () => {
  it.each([
    ['getAll', {}],
    ['findAvailable', period],
  ])(
    '%s: each item has its distance, and a hint counts what was left out',
    async (operation, fields) => {
      const engine = await Engine.start({ screenAdvertisingApi: { baseUrl, apiKey } });
      const filters = { near, radius_km: 5 };
      const parameters: INodeParameters = { resource: 'screen', operation, filters, ...fields };
      const result = await engine.runNode({ type: 'screenAdvertising', parameters });
      if (result.error) throw result.error;
      const items = result.output('Screen Advertising');
      expect(items.map(({ json }) => [json.id, json.distance_km])).toEqual(distances);
      const { hints } = result.run.data.resultData.runData['Screen Advertising']?.[0] ?? {};
      expect(hints).toEqual([{ message: leftOut, location: 'outputPane' }]);
    },
  );
});

describe('Zapier', () => {
  const open = async (): Promise<ZapierRunner> => {
    const runner = createZapierRunner({ baseUrl, credentials: { apiKey } });
    await runner.connect();
    return runner;
  };

  it.each([
    ['find_screen', 'id', {}],
    ['find_available_screens', 'screen_id', period],
  ])('%s: each record has its distance and the number left out', async (key, id, fields) => {
    const found = await (await open()).search(key, { near, radius_km: '5', ...fields });
    expect(found.map((one) => [one[id], one.distance_km])).toEqual(distances);
    expect(found.map((one) => one.screens_without_coordinates)).toEqual([2, 2]);
  });

  it.each([
    ['new_screen', {}],
    ['screen_availability_changed', { ...period, change: 'either', share_pct: '10' }],
  ])('%s: the log says how many screens are not watched', async (key, fields) => {
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const runner = createZapierRunner({
      baseUrl,
      credentials: { apiKey },
      event: { zcacheTestObj: {} },
    });
    await runner.poll(key, { near, radius_km: '5', ...fields });
    expect(log.mock.calls).toEqual([[expect.stringContaining(leftOut)]]);
    log.mockRestore();
  });

  it('sorts by price on request, and finds a name among those near', async () => {
    const zapier = await open();
    const cheapest = await zapier.search('find_screen', {
      near,
      radius_km: '5',
      sort_by: 'Cheapest First',
    });
    expect(cheapest.map(({ id }) => id)).toEqual(['east', 'here']);
    const named = await zapier.search('find_screen', { near, name: 'far' });
    expect(named).toMatchObject([{ id: 'far', distance_km: 111.195 }]);
  });

  it.each([
    [
      'find_screen',
      { near: '0.5, 0.5', radius_km: '1' },
      'Find Screen found no screen within the radius, but 2 screens have no coordinates, so they may be nearer. Set a larger radius, or leave Near empty to see them.',
    ],
    [
      'find_screen',
      { radius_km: '5' },
      'Find Screen was not sent: Near is required: a place such as 52.5200, 13.4050.',
    ],
    [
      'find_screen',
      { near: '52,52; 13,405' },
      'Find Screen was not sent: Near must have decimal points, not commas, such as 52.5200, 13.4050.',
    ],
    [
      'find_screen',
      { near, radius_km: '2 km' },
      'Find Screen was not sent: Radius in Kilometers must be a plain number such as 25 or 12.5, without units, spaces, or commas, not "2 km".',
    ],
    [
      'find_available_screens',
      { ...period, near: '113.4, 52.5' },
      'Find Available Screens was not sent: Near has the latitude 113.4, which must be from -90 to 90. Latitude comes first: the two may be swapped.',
    ],
    [
      'find_available_screens',
      { ...period, radius_km: '5' },
      'Find Available Screens was not sent: Near is required with a radius, and to sort by distance.',
    ],
  ])('%s with %j says what to do', async (key, fields, message) => {
    const error = await (await open()).search(key, fields).catch(readZapierError);
    expect(error).toMatchObject({ message });
  });
});

describe('an assistant', () => {
  it.each([
    ['find_nearby_screens', 'id', {}],
    ['find_available_screens', 'screen_id', period],
  ])('%s: gets the distances, and a note on what was left out', async (tool, id, fields) => {
    const client = await connect(environment());
    const { record } = await callTool(client, tool, { near, radius_km: 5, ...fields });
    const { data, note } = record as { data: Record<string, unknown>[]; note: string };
    expect(data.map((one) => [one[id], one.distance_km])).toEqual(distances);
    expect(note).toBe(leftOut);
  });

  it('learns how to fix coordinates', async () => {
    const client = await connect(environment());
    const { text } = await callTool(client, 'find_nearby_screens', { near: 'Berlin' });
    expect(text).toBe(
      'Find Nearby Screens was not sent: near must be a latitude and a longitude as maps copy them, such as 52.5200, 13.4050. Correct the arguments and call the tool again.',
    );
  });
});

describe('a shell', () => {
  it.each([
    ['find-nearby', 'id', []],
    ['find-available', 'screen_id', ['--from', period.from, '--to', period.to]],
  ])('%s: prints the distances, and what was left out beside them', async (command, id, fields) => {
    const { code, output, errors } = await typed(
      [command, '--near', near, '--radius_km', '5', ...fields],
      environment(),
    );
    expect({ code, errors }).toEqual({ code: 0, errors: `${leftOut}\n` });
    const found: Record<string, unknown>[] = JSON.parse(output);
    expect(found.map((one) => [one[id], one.distance_km])).toEqual(distances);
  });

  it('shows the distance in a table', async () => {
    const { output } = await typed(['find-nearby', '--near', '0, 0', '-t'], environment());
    expect(output.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^id +name +distance_km +price_per_day_cents/),
      expect.stringMatching(/^here +Here +0 +200/),
      expect.stringMatching(/^east +East +1\.112 +100/),
    ]);
  });

  it.each([
    [['--near', '-33.86, 151.2', '--radius_km', '-1'], 'radius_km must be at least 0'],
    [
      ['--near', '52.52'],
      'near must be two numbers, latitude and longitude, such as 52.5200, 13.4050',
    ],
  ])('%j ends with the exit code of wrong fields', async (fields, message) => {
    const { code, errors } = await typed(['find-nearby', ...fields], environment());
    expect({ code, errors }).toEqual({
      code: 2,
      errors: `Find Nearby Screens was not sent: ${message}.\n`,
    });
  });
});
