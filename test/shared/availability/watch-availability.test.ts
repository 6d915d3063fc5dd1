import { describe, expect, it } from '@jest/globals';
import {
  type AvailabilityReading,
  availabilityChanges,
  type ScreenAvailabilityChangedParams,
  type SeenShares,
  sampleAvailabilityChange,
  watchAvailability,
} from '@screen-advertising/core/availability';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { page, problem } from '../support/steps.ts';
import { availabilityRoute, offer, period, type ScriptedScreen } from './screens.ts';

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

  it('leaves a failed screen unchanged, so its change is reported later', async () => {
    now({ a: undefined, b: 5, c: null });
    const { changes, seen, failures } = await look({ a: 5, b: 5, c: 5 });
    expect(changes).toEqual([]);
    expect(seen).toEqual({ a: 5, b: 5, c: 5 });
    expect(failures.map(({ screen }) => screen.id)).toEqual(['a', 'c']);
    now({ a: 50, b: 5, c: 5 });
    expect((await look(seen)).changes).toMatchObject([{ screen_id: 'a' }]);
  });

  it('ends with what it has read, reports each change once, and continues in the next run', async () => {
    now({ a: 50, b: 50, c: 50 });
    const time = new AbortController();
    const options = { seen: { a: 5, b: 5, c: 5 }, concurrency: 1, until: time.signal };
    bench.service.on(availabilityRoute('b'), () => time.abort());
    const client = bench.client({ retry: false });
    const first = await watchAvailability(client, input, options);
    expect(first).toMatchObject({ changes: [{ screen_id: 'a' }], done: ['a'], failures: [] });
    expect(first.seen).toEqual({ a: 50, b: 5, c: 5 });
    now({ a: 50, b: 50, c: undefined });
    const { seen, done } = first;
    const second = await watchAvailability(client, input, { seen, done });
    expect(second).toMatchObject({
      changes: [{ screen_id: 'b' }],
      done: [],
      failures: [{ screen: { id: 'c' } }],
    });
    const paths = bench.service.received.map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/screens/a/'))).toEqual([]);
  });

  it('rejects with the reason when its time ends before any screen was read', async () => {
    now({ a: 50 });
    const until = AbortSignal.abort(new Error('out of time'));
    const run = watchAvailability(bench.client(), input, { until });
    await expect(run).rejects.toThrow('out of time');
  });

  it('takes stock of a new screen, and remembers an unlisted one in case it returns', async () => {
    now({ a: 50, new: 50 });
    const { changes, seen } = await look({ gone: 5, a: 50 });
    expect(changes).toEqual([]);
    expect(seen).toEqual({ gone: 5, a: 50, new: 50 });
    now({ gone: 50 });
    expect((await look(seen)).changes).toMatchObject([{ screen_id: 'gone' }]);
  });

  it.each([
    [19_999, 20_000],
    [20_000, 1],
  ])('beside %i screens that are no longer listed, remembers %i in all', async (count, all) => {
    const many = Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, 1]));
    now({ a: 50 });
    const { seen } = await look(many);
    expect(seen.a).toBe(50);
    expect(Object.keys(seen)).toHaveLength(all);
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

  it.each([
    [{ share_pct: -1 }, 'share_pct must be at least 0, not -1'],
    [{ share_pct: undefined }, 'share_pct is required'],
    [
      { change: 'falls_below', share_pct: 0 },
      'share_pct must not be 0, because no share falls below 0',
    ],
    [
      { change: 'rises_above', share_pct: 100 },
      'share_pct must not be 100, because no share rises above 100',
    ],
    [{ change: 'sinks' }, 'change must be one of rises_above, falls_below, either, not "sinks"'],
  ])('refuses %j', async (fields, message) => {
    expect(
      await rejection(look({}, fields as Partial<ScreenAvailabilityChangedParams>)),
    ).toMatchObject({
      message: `Screen Availability Changed was not sent: ${message}.`,
    });
  });
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

  it('does not exist without a screen', async () => {
    now({});
    expect(await sampleAvailabilityChange(bench.client(), input)).toBeUndefined();
  });
});

const reading = (id: string, share: number): AvailabilityReading => ({
  screen: { id, name: `At ${id}` },
  availability: { screen_id: id, ...period, available_sov_pct: share },
  share,
});

type Direction = 'rises_above' | 'falls_below' | 'either';

/** The changes when a screen goes from one share to another between two runs, watched at 10 %. */
function crossed(before: number, now: number, change: Direction = 'either') {
  const changes = availabilityChanges({ a: before }, [reading('a', now)], {
    change,
    share_pct: 10,
  });
  return changes.map((one) => one.change);
}

describe('a share of 10 %', () => {
  it.each([
    [9, 11, ['rises_above']],
    [10, 10.5, ['rises_above']],
    [0, 100, ['rises_above']],
    [11, 9, ['falls_below']],
    [10, 9.5, ['falls_below']],
    [9, 10, []],
    [11, 10, []],
    [10, 10, []],
    [5, 9, []],
    [15, 11, []],
  ])('from %d to %d: %j', (before, now, expected) => {
    expect(crossed(before, now)).toEqual(expected);
  });

  it('is watched only in the chosen direction', () => {
    expect(crossed(9, 11, 'rises_above')).toEqual(['rises_above']);
    expect(crossed(9, 11, 'falls_below')).toEqual([]);
    expect(crossed(11, 9, 'falls_below')).toEqual(['falls_below']);
    expect(crossed(11, 9, 'rises_above')).toEqual([]);
  });
});

it('a change holds the availability, the screen, the crossed share, its direction, and the previous share', () => {
  const watch = { change: 'either', share_pct: 10 } as const;
  expect(availabilityChanges({ a: 4 }, [reading('a', 25)], watch)).toEqual([
    {
      screen_id: 'a',
      ...period,
      available_sov_pct: 25,
      change: 'rises_above',
      share_pct: 10,
      previous_available_sov_pct: 4,
      screen: { id: 'a', name: 'At a' },
    },
  ]);
});

it('a screen seen for the first time has not crossed anything, whatever its ID', () => {
  const readings = ['new', '__proto__', 'constructor'].map((id) => reading(id, 50));
  expect(availabilityChanges({}, readings, { change: 'either', share_pct: 10 })).toEqual([]);
});
