import { describe, expect, it } from '@jest/globals';
import { ScreenAdvertisingError } from '@screen-advertising/core';
import {
  findAvailableScreens,
  type ReadAvailabilitiesOptions,
  searchNotes,
} from '@screen-advertising/core/availability';
import { eventually } from '../../support/eventually.ts';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { page, silence } from '../support/steps.ts';
import { availabilityRoute, offer, period, responseOf, type ScriptedScreen } from './screens.ts';

const bench = useBench();

type Input = Parameters<typeof findAvailableScreens>[1];

const find = (fields: Partial<Input> = {}, options?: ReadAvailabilitiesOptions) =>
  findAvailableScreens(bench.client({ retry: false }), { ...period, ...fields }, options);

const idsOf = (screens: readonly { screen_id: string }[]) =>
  screens.map(({ screen_id }) => screen_id);

const screen = (id: string, share: unknown, perDay: unknown): ScriptedScreen => ({
  id,
  share,
  perDay,
});

describe('a screen that fits', () => {
  it('is returned as its availability with the screen, the days and the total price', async () => {
    offer(bench.service, [screen('a', 30, 1290)]);
    const { screens, failures } = await find();
    expect(screens).toEqual([
      {
        screen_id: 'a',
        ...period,
        available_sov_pct: 30,
        price_per_day_cents: 1290,
        days: 10,
        total_price_cents: 12_900,
        screen: { id: 'a', name: 'At a' },
      },
    ]);
    expect(failures).toEqual([]);
  });

  it.each([
    ['2027-03-01', '2027-03-01', 1],
    ['2027-01-01', '2027-12-31', 365],
    // Daylight saving time starts in between.
    ['2027-03-27', '2027-03-29', 3],
  ])('from %s to %s costs %i days', async (from, to, days) => {
    offer(bench.service, [screen('a', 30, 100)]);
    const { screens } = await find({ from, to });
    expect(screens).toMatchObject([{ days, total_price_cents: days * 100 }]);
  });

  it('is not sold out, and has at least the required share', async () => {
    offer(bench.service, [
      screen('none', 0, 1),
      screen('little', 0.5, 2),
      screen('enough', 10, 3),
      screen('more', 10.5, 4),
    ]);
    expect(idsOf((await find()).screens)).toEqual(['little', 'enough', 'more']);
    const { screens } = await find({ min_available_sov_pct: 10 });
    expect(idsOf(screens)).toEqual(['enough', 'more']);
  });

  it('stays within the budget for the whole period', async () => {
    offer(bench.service, [screen('at', 5, 1000), screen('above', 5, 1001)]);
    expect(idsOf((await find({ budget_cents: 10_000 })).screens)).toEqual(['at']);
  });

  it('is sorted by price, then by most available share, then by ID, unknown prices last', async () => {
    offer(bench.service, [
      screen('unknown', 90, null),
      screen('b', 20, 200),
      screen('a', 20, 200),
      screen('roomy', 30, 200),
      screen('cheap', 1, 100),
    ]);
    const { screens } = await find();
    expect(idsOf(screens)).toEqual(['cheap', 'roomy', 'a', 'b', 'unknown']);
    expect(screens.at(-1)?.total_price_cents).toBeNull();
  });

  it('is found when numbers arrive as text', async () => {
    offer(bench.service, [screen('text', '12.5', '250'), screen('number', 12, 300)]);
    const { screens } = await find({ min_available_sov_pct: 12, budget_cents: 2500 });
    expect(screens).toMatchObject([
      { screen_id: 'text', available_sov_pct: '12.5', total_price_cents: 2500 },
    ]);
  });

  it('appears once, even when it is on two pages of a shifting list', async () => {
    bench.service.on(
      'GET /screens',
      page([{ id: 'a' }, { id: 'b' }], 'next', true),
      page([{ id: 'b' }, { id: 'c' }], null, false),
    );
    for (const id of ['a', 'b', 'c']) {
      bench.service.on(availabilityRoute(id), responseOf(screen(id, 5, 1)));
    }
    expect(idsOf((await find()).screens)).toEqual(['a', 'b', 'c']);
    expect(bench.service.receivedFor(availabilityRoute('b'))).toHaveLength(1);
  });
});

it('matches the filters, and is available in the period', async () => {
  offer(bench.service, [screen('a', 30, 1)]);
  await find({ country: 'DE', city: 'Köln', orientation: 'portrait', bbox: '6,50,7,51' });
  expect(bench.service.received.map(({ path }) => path)).toEqual([
    '/screens?country=DE&city=K%C3%B6ln&orientation=portrait&bbox=6%2C50%2C7%2C51&limit=200',
    '/screens/a/availability?from=2027-03-01&to=2027-03-10',
  ]);
});

describe('a screen that may fit or not', () => {
  it('is reported and does not stop the others', async () => {
    offer(bench.service, [
      { id: 'z-gone', status: 404 },
      screen('fine', 10, 100),
      { id: 'down', status: 503 },
      { id: 'proxy' },
    ]);
    // No problem document, so not from the service.
    const foreign = { 'content-type': 'text/html' };
    bench.service.on(availabilityRoute('proxy'), {
      status: 404,
      headers: foreign,
      body: '<p>Not here</p>',
    });
    const found = await find();
    expect(idsOf(found.screens)).toEqual(['fine']);
    expect(found.failures).toMatchObject([
      { screen: { id: 'down' }, error: { code: 'service_error', status: 503 } },
      { screen: { id: 'proxy' }, error: { code: 'unexpected_response', status: 404 } },
    ]);
    expect(found.notBookable).toMatchObject([{ id: 'z-gone' }]);
    expect(searchNotes(found)).toEqual([
      expect.stringMatching(/^Screens that could not be read: 2\. First error: .*\(503\)/),
      'Screens left out because they can no longer be booked: 1.',
    ]);
  });

  it('is one whose share is unknown', async () => {
    const unknown = [undefined, null, 'plenty', true, ''];
    offer(
      bench.service,
      unknown.map((share, at) => screen(`s${at}`, share, 100)),
    );
    const { screens, failures } = await find();
    expect(screens).toEqual([]);
    expect(failures).toHaveLength(unknown.length);
    expect(failures[0]?.error.message).toBe(
      'The availability of screen s0 has no number in available_sov_pct, so its availability is unknown. Report this to the Screen Advertising team.',
    );
  });

  it('is one without a price when there is a budget, unless it is sold out', async () => {
    offer(bench.service, [screen('a', 10, null), screen('sold-out', 0, null)]);
    const { screens, failures } = await find({ budget_cents: 1 });
    expect(screens).toEqual([]);
    expect(failures.map(({ error }) => error.message)).toEqual([
      'The availability of screen a has no number in price_per_day_cents, so it cannot be compared with the budget. Report this to the Screen Advertising team.',
    ]);
  });

  it('is one that the list returns without an ID', async () => {
    bench.service.on('GET /screens', page([{ name: 'One' }, { name: 'Other' }], null, false));
    const { failures } = await find();
    expect(failures.map(({ error }) => error.message)).toEqual([
      'Get Screen Availability was not sent: screenId is required.',
      'Get Screen Availability was not sent: screenId is required.',
    ]);
  });
});

describe('the search fails when', () => {
  it.each([
    [401, 'authentication_failed'],
    [403, 'missing_scope'],
    [429, 'rate_limited'],
  ])('an availability request gets %i, which affects every screen', async (status, code) => {
    const many = Array.from({ length: 100 }, (_, at) => ({ id: `s${at}`, status }));
    offer(bench.service, many);
    expect(await rejection(find({}, { concurrency: 5 }))).toMatchObject({ code });
    expect(bench.service.received.length).toBeLessThan(12);
  });

  it('the transport throws an error that only its platform knows', async () => {
    offer(bench.service, [screen('a', 10, 1), screen('b', 10, 1)]);
    const ofThePlatform = new Error('Fetch another token.');
    const { transport } = bench;
    const client = bench.client({
      transport: {
        clock: bench.clock,
        send: async (request) => {
          if (request.url.includes('/a/')) throw ofThePlatform;
          return transport.send(request);
        },
      },
    });
    expect(await rejection(findAvailableScreens(client, period))).toBe(ofThePlatform);
  });

  it.each([
    ['an error', new Error('Enough.')],
    ['an error of this package', new ScreenAdvertisingError('timeout', 'Enough.')],
  ])('the caller aborts in the middle of it, with %s', async (_what, reason) => {
    offer(bench.service, [screen('a', 10, 1), screen('b', 10, 1)]);
    bench.service.on(availabilityRoute('b'), silence);
    const caller = new AbortController();
    const work = rejection(find({}, { signal: caller.signal }));
    await eventually(() => bench.service.held === 1, 'the service holds a request');
    caller.abort(reason);
    expect(await work).toBe(reason);
  });

  it('more screens match than the caller has time for', async () => {
    offer(bench.service, [screen('a', 1, 1), screen('b', 1, 1), screen('c', 1, 1)]);
    expect(await rejection(find({}, { maxScreens: 2 }))).toMatchObject({
      code: 'invalid_request',
      message:
        'More than 2 screens match, too many for one run. Narrow the search with City, Country, Orientation, Bounding Box, or Near and Radius in Kilometers.',
    });
    expect((await find({}, { maxScreens: 3 })).screens).toHaveLength(3);
  });

  it.each([
    [{ to: '2027-02-28' }, 'to (2027-02-28) must not be before from'],
    [
      { to: '31.03.2027' },
      'to must be a calendar date in the format YYYY-MM-DD, such as 2026-03-31, not "31.03.2027"',
    ],
    [{ min_available_sov_pct: 101 }, 'min_available_sov_pct must be at most 100, not 101'],
    [{ budget_cents: -1 }, 'budget_cents must be greater than 0, not -1'],
    [{ limit: 10 }, 'limit is not a field of this operation'],
  ])('the input is %j', async (fields, message) => {
    expect(await rejection(find(fields as Partial<Input>))).toMatchObject({
      code: 'invalid_input',
      message: `Find Available Screens was not sent: ${message}.`,
    });
    expect(bench.service.received).toEqual([]);
  });
});
