import { describe, expect, it } from '@jest/globals';
import {
  type ScreenAvailabilityChangedParams,
  type SeenShares,
  sampleAvailabilityChange,
  watchAvailability,
} from '@screen-advertising/core/availability';
import { rejection, useBench } from '../support/bench.ts';
import { page, problem } from '../support/steps.ts';
import { offer, period, type ScriptedScreen } from './screens.ts';

const bench = useBench();

const input: ScreenAvailabilityChangedParams = { change: 'either', share_pct: 10, ...period };

const look = (seen?: SeenShares, fields: Partial<ScreenAvailabilityChangedParams> = {}) =>
  watchAvailability(bench.client({ retry: false }), { ...input, ...fields }, { seen });

function now(shares: Readonly<Record<string, number | null | undefined>>): void {
  const screens: ScriptedScreen[] = Object.entries(shares).map(([id, share]) =>
    share === undefined ? { id, status: 503 } : { id, share, perDay: 100 },
  );
  bench.service.reset();
  offer(bench.service, screens);
}

describe('watching the availability', () => {
  it('compares nothing in the first run, and remembers', async () => {
    now({ a: 5, b: 50 });
    const { changes, seen, failures } = await look();
    expect(changes).toEqual([]);
    expect(seen).toEqual({ a: 5, b: 50 });
    expect(failures).toEqual([]);
  });

  it('reports what crossed the share since the previous run, by screen, and each crossing once', async () => {
    now({ b: 5, a: 50, c: 8 });
    const { changes, seen } = await look({ a: 5, b: 50, c: 9 });
    expect(changes).toMatchObject([
      { screen_id: 'a', change: 'rises_above', previous_available_sov_pct: 5 },
      { screen_id: 'b', change: 'falls_below', previous_available_sov_pct: 50 },
    ]);
    expect((await look(seen)).changes).toEqual([]);
  });

  it('survives being stored as JSON', async () => {
    now({ a: 50 });
    const stored = JSON.parse(JSON.stringify((await look({ a: 5 })).seen));
    now({ a: 5 });
    expect((await look(stored)).changes).toMatchObject([{ change: 'falls_below' }]);
  });

  it('leaves a failed screen unchanged, so its change is reported later', async () => {
    now({ a: undefined, b: 5, c: null });
    const { changes, seen, failures } = await look({ a: 5, b: 5, c: 5 });
    expect(changes).toEqual([]);
    expect(seen).toEqual({ a: 5, b: 5, c: 5 });
    expect(failures.map(({ screen }) => screen.id)).toEqual(['a', 'c']);
    now({ a: 50, b: 5, c: 5 });
    expect((await look(seen)).changes).toMatchObject([{ screen_id: 'a' }]);
  });

  it('takes stock of a new screen, and remembers an unlisted one in case it returns', async () => {
    now({ a: 50, new: 50 });
    const { changes, seen } = await look({ gone: 5, a: 50 });
    expect(changes).toEqual([]);
    expect(seen).toEqual({ gone: 5, a: 50, new: 50 });
    now({ gone: 50 });
    expect((await look(seen)).changes).toMatchObject([{ screen_id: 'gone' }]);
  });

  it('remembers at most 20,000 screens, then forgets those no longer listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`s${at}`, 1]));
    now({ a: 50 });
    expect(Object.keys((await look({ ...many, s0: 1 })).seen)).toEqual(['a']);
  });

  it('fails when not a single screen could be read, as it does when a list breaks off', async () => {
    now({ a: undefined, b: undefined });
    expect(await rejection(look({ a: 5 }))).toMatchObject({
      message: expect.stringMatching(
        /^Get Screen Availability failed: the service reported an error/,
      ),
    });
    bench.service.on('GET /screens', page([{ id: 'a' }], 'next', true), problem(503));
    expect(await rejection(look({ a: 5 }))).toMatchObject({
      message: expect.stringMatching(/^List Screens failed: the service reported an error/),
    });
  });

  it('reports no changes when no screen is listed', async () => {
    now({});
    expect(await look({ a: 5 })).toEqual({
      changes: [],
      readings: [],
      seen: { a: 5 },
      failures: [],
      notBookable: [],
      withoutCoordinates: [],
    });
  });

  it.each([
    [{ share_pct: -1 }, 'share_pct must be at least 0'],
    [{ share_pct: 101 }, 'share_pct must be at most 100'],
    [{ share_pct: undefined }, 'share_pct is required'],
    [
      { change: 'falls_below', share_pct: 0 },
      'share_pct must be greater than 0, because no share falls below 0',
    ],
    [
      { change: 'rises_above', share_pct: 100 },
      'share_pct must be less than 100, because no share rises above 100',
    ],
    [{ change: 'sinks' }, 'change must be one of rises_above, falls_below, either'],
    [{ to: '2027-02-01' }, 'to must not be before from'],
  ])('refuses %j', async (fields, message) => {
    expect(
      await rejection(look({}, fields as Partial<ScreenAvailabilityChangedParams>)),
    ).toMatchObject({
      message: `Screen Availability Changed was not sent: ${message}.`,
    });
  });
});

it.each<[ScreenAvailabilityChangedParams['change'], share: number]>([
  ['rises_above', 0],
  ['falls_below', 100],
  ['either', 0],
  ['either', 100],
])('%s may watch a share of %d', async (change, share_pct) => {
  now({ a: 50 });
  expect((await look({ a: 50 }, { change, share_pct })).changes).toEqual([]);
});

describe('a sample of a change', () => {
  it('shows the first screen of the list, with two requests', async () => {
    now({ a: 50, b: 5 });
    const sample = await sampleAvailabilityChange(bench.client(), { ...input, city: 'Berlin' });
    expect(sample).toMatchObject({
      screen_id: 'a',
      change: 'rises_above',
      share_pct: 10,
      available_sov_pct: 50,
      previous_available_sov_pct: null,
      screen: { name: 'At a' },
    });
    expect(bench.service.received.map(({ path }) => path)).toEqual([
      '/screens?city=Berlin&limit=1',
      '/screens/a/availability?from=2027-03-01&to=2027-03-10',
    ]);
  });

  it('has the chosen kind of change', async () => {
    now({ a: 50 });
    const change = 'falls_below';
    expect(await sampleAvailabilityChange(bench.client(), { ...input, change })).toMatchObject({
      change,
    });
  });

  it('does not exist without a screen', async () => {
    now({});
    expect(await sampleAvailabilityChange(bench.client(), input)).toBeUndefined();
  });
});
