import { expect } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { at, type Bench } from '../bench.ts';
import { type Row, row } from '../row.ts';

const fields = {
  id: 'string',
  name: 'string',
  description: 'string',
  country: 'string',
  city: 'string',
  address: 'string',
  latitude: 'number',
  longitude: 'number',
  orientation: 'string',
  resolution_width: 'integer',
  resolution_height: 'integer',
  price_per_day_cents: 'integer',
  ad_sov_pct: 'number',
  thumbnail_url: 'string',
  venue_type: 'string',
  is_active: 'boolean',
  created_at: 'string',
} as const;

const availabilityFields = {
  screen_id: 'string',
  from: 'string',
  to: 'string',
  max_sov_pct: 'number',
  used_sov_pct: 'number',
  available_sov_pct: 'number',
  price_per_day_cents: 'integer',
} as const;

function isOf(type: string, value: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

async function screens(bench: Bench, query = '?limit=200'): Promise<Record<string, unknown>[]> {
  const { json } = await bench.get(`/screens${query}`);
  return at(json, 'data') as Record<string, unknown>[];
}

async function firstId(bench: Bench): Promise<string> {
  return String(at(await screens(bench, '?limit=1'), 0, 'id'));
}

async function allIds(bench: Bench): Promise<string[]> {
  const ids: string[] = [];
  for await (const screen of bench.client().items(operations['screen.list'])) {
    ids.push(screen.id);
  }
  return ids;
}

const march = 'from=2027-03-01&to=2027-03-31';

export const screenRows: readonly Row[] = [
  row('2.1', 'a screen has every field, of its type', async (bench) => {
    const listed = await screens(bench);
    expect(listed.length).toBe(200);
    for (const [name, type] of Object.entries(fields)) {
      expect([name, listed.filter((screen) => !isOf(type, screen[name]))]).toEqual([name, []]);
    }
  }),
  row('2.1', 'country is a 2-letter code', async (bench) => {
    for (const { country } of await screens(bench)) expect(country).toMatch(/^[A-Z]{2}$/);
  }),
  row('2.1', 'thumbnail_url is a URL, and leads to a picture', async (bench) => {
    const url = String(at(await screens(bench, '?limit=1'), 0, 'thumbnail_url'));
    const picture = await fetch(url);
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toMatch(/^image\//);
    await picture.arrayBuffer();
  }),
  row(
    '2.2',
    'an availability has every field, of its type, and the requested screen and dates',
    async (bench) => {
      const period = { from: '2027-03-01', to: '2027-03-31' };
      const id = await firstId(bench);
      const found = await bench.client().screens.availability({ screenId: id, ...period });
      expect(found).toMatchObject({ screen_id: id, ...period });
      for (const [name, type] of Object.entries(availabilityFields)) {
        expect([name, isOf(type, at(found, name))]).toEqual([name, true]);
      }
    },
    ['singleRecord'],
  ),
  row('2.2', 'used and available share add up to the maximum', async (bench) => {
    const id = await firstId(bench);
    const { json } = await bench.get(`/screens/${id}/availability?${march}`);
    const sum = Number(at(json, 'used_sov_pct')) + Number(at(json, 'available_sov_pct'));
    expect(sum).toBeCloseTo(Number(at(json, 'max_sov_pct')), 6);
  }),
  row('4.2', 'the response is { data, pagination }', async (bench) => {
    const reply = await bench.get('/screens');
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json as object).sort()).toEqual(['data', 'pagination']);
  }),
  ...(['country', 'city', 'orientation'] as const).map((name) =>
    row('4.2', `${name} returns only screens that have it`, async (bench) => {
      const value = String(at(await screens(bench), 0, name));
      const found = await screens(bench, `?${name}=${encodeURIComponent(value)}&limit=200`);
      expect(found.length).toBeGreaterThan(0);
      expect(found.filter((screen) => screen[name] !== value)).toEqual([]);
    }),
  ),
  row('4.2', 'bbox returns only screens inside that area', async (bench) => {
    const found = await screens(bench, '?bbox=13.0,52.3,13.8,52.7&limit=200');
    expect(found.length).toBeGreaterThan(0);
    const outside = found.filter(({ latitude, longitude }) => {
      const [x, y] = [Number(longitude), Number(latitude)];
      return x < 13 || x > 13.8 || y < 52.3 || y > 52.7;
    });
    expect(outside).toEqual([]);
  }),
  row('4.2', 'limit is 50 by default', async (bench) => {
    expect(await screens(bench, '')).toHaveLength(50);
  }),
  row('4.2', 'limit 200 is allowed', async (bench) => {
    expect(await screens(bench, '?limit=200')).toHaveLength(200);
  }),
  row(
    '4.2',
    'limit 201 is refused',
    async (bench) => {
      expect([400, 422]).toContain((await bench.get('/screens?limit=201')).status);
    },
    ['invalidParameter'],
  ),
  row('2.3', 'has_more is a boolean', async (bench) => {
    expect(at((await bench.get('/screens')).json, 'pagination', 'has_more')).toBe(true);
    const last = await bench.get('/screens?city=Berlin&limit=200');
    expect(at(last.json, 'pagination', 'has_more')).toBe(false);
  }),
  row('2.3', 'total_count is the number of all matching screens', async (bench) => {
    const { json } = await bench.get('/screens?country=DE&limit=1');
    const all = await screens(bench, '?country=DE&limit=200');
    expect(at(json, 'pagination', 'total_count')).toBe(all.length);
  }),
  row(
    '2.3',
    'the client reads every screen once, however the last page ends',
    async (bench) => {
      const ids = await allIds(bench);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(at((await bench.get('/screens')).json, 'pagination', 'total_count'));
    },
    ['lastCursor'],
  ),
  row(
    '4.3',
    'a screen can be read by its ID',
    async (bench) => {
      const id = await firstId(bench);
      const screen = await bench.client().screens.get({ screenId: id });
      expect(screen.id).toBe(id);
      expect(Object.keys(screen)).toEqual(expect.arrayContaining(Object.keys(fields)));
    },
    ['singleRecord'],
  ),
  row('4.3', 'a screen that does not exist gets 404', async (bench) => {
    expect((await bench.get('/screens/scr_none')).status).toBe(404);
  }),
  row('4.3', 'a screen that exists but is not bookable gets 404', async (bench) => {
    const hidden = bench.sandbox.screens.list().find(({ bookable }) => !bookable);
    expect(hidden).toBeDefined();
    expect((await bench.get(`/screens/${hidden?.id}`)).status).toBe(404);
  }),
  row('3', 'screens that are not bookable are not listed', async (bench) => {
    const ids = new Set(await allIds(bench));
    const hidden = bench.sandbox.screens.list().filter(({ bookable }) => !bookable);
    expect(hidden.filter(({ id }) => ids.has(id))).toEqual([]);
  }),
  ...(['from', 'to'] as const).flatMap((name) => [
    row(
      '4.4',
      `${name} is required`,
      async (bench) => {
        const id = await firstId(bench);
        const other = name === 'from' ? 'to' : 'from';
        const reply = await bench.get(`/screens/${id}/availability?${other}=2027-03-01`);
        expect([400, 422]).toContain(reply.status);
        expect(String(at(reply.json, 'detail'))).toContain(name);
      },
      ['invalidParameter'],
    ),
    row(
      '4.4',
      `${name} is a date written YYYY-MM-DD`,
      async (bench) => {
        const id = await firstId(bench);
        const dates = { from: '2027-03-01', to: '2027-03-31', [name]: '31.03.2027' };
        const reply = await bench.get(
          `/screens/${id}/availability?from=${dates.from}&to=${dates.to}`,
        );
        expect([400, 422]).toContain(reply.status);
      },
      ['invalidParameter'],
    ),
  ]),
  row('4.4', 'the availability of a screen that does not exist gets 404', async (bench) => {
    expect((await bench.get(`/screens/scr_none/availability?${march}`)).status).toBe(404);
  }),
];
