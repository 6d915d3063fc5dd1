import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { typed } from '../cli/command.ts';
import { connect } from '../mcp/support/connect.ts';
import { callList, recordsIn } from '../mcp/support/lists.ts';
import { Engine } from '../n8n/engine.ts';
import { useBench } from '../shared/support/bench.ts';
import { createZapierRunner } from '../zapier/app/zapier.ts';

/** 1.113 km east of the place, at it, 111 km away, and two that may be anywhere. */
const screens = [
  { id: 'east', name: 'East', price_per_day_cents: 100, latitude: 0, longitude: 0.01 },
  { id: 'here', name: 'Here', price_per_day_cents: 200, latitude: 0, longitude: 0 },
  { id: 'far', name: 'Far', price_per_day_cents: 1, latitude: 1, longitude: 0 },
  { id: 'bare', name: 'Bare', price_per_day_cents: 1 },
  { id: 'null', name: 'Null', price_per_day_cents: 1, latitude: null, longitude: null },
];
const near = '(0; 0)';
const period = { from: '2027-03-01', to: '2027-03-14' };
const leftOut = 'Screens left out because they have no coordinates: 2.';
const distances = [
  ['here', 0],
  ['east', 1.112],
];

const bench = useBench();
const apiKey = 'svc_0123456789abcdef';

beforeEach(() => {
  bench.service.on('GET /screens', { body: { data: screens, pagination: { has_more: false } } });
  for (const { id: screen_id } of screens) {
    const availability = { screen_id, ...period, available_sov_pct: 30, price_per_day_cents: 1 };
    bench.service.on(`GET /screens/${screen_id}/availability`, { body: availability });
  }
});

const environment = () => ({
  SCREEN_ADVERTISING_BASE_URL: bench.service.baseUrl,
  SCREEN_ADVERTISING_API_KEY: apiKey,
});

describe('n8n', () => {
  it.each([
    ['getAll', {}],
    ['findAvailable', period],
  ])(
    '%s: each item has its distance, and a hint counts what was left out',
    async (operation, fields) => {
      const engine = await Engine.start({
        screenAdvertisingApi: { baseUrl: bench.service.baseUrl, apiKey },
      });
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
  it.each([
    ['new_screen', {}],
    ['screen_availability_changed', { ...period, change: 'either', share_pct: '10' }],
  ])('%s: the log says how many screens are not watched', async (key, fields) => {
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const runner = createZapierRunner({
      baseUrl: bench.service.baseUrl,
      credentials: { apiKey },
      event: { zcacheTestObj: {} },
    });
    await runner.poll(key, { near, radius_km: '5', ...fields });
    expect(log.mock.calls).toEqual([[expect.stringContaining(leftOut)]]);
  });
});

describe('an assistant', () => {
  it.each([
    ['list_screens', {}],
    ['find_available_screens', period],
  ])('%s: gets the distances, and a note on what was left out', async (tool, fields) => {
    const client = await connect(environment());
    const list = await callList(client, tool, { near, radius_km: 5, ...fields });
    expect(recordsIn(list).map((one) => [one.screen_id, one.distance_km])).toEqual(distances);
    expect(list.note).toBe(`${leftOut} Beyond the radius: 1 screen, the nearest 111.195 km away.`);
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
});
