import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { actionNode, type WorkflowResult } from './engine.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ clock: 'frozen', startAt: '2027-02-01T09:00:00Z', screens: 80 });
});
beforeEach(() => world.sandbox.reset());
afterAll(() => world.stop());

/** Runs the node as n8n does for an agent. */
const runTool = (parameters: INodeParameters) =>
  world.engine.runNode(
    {
      type: 'screenAdvertisingTool',
      name: actionNode,
      credentials: { screenAdvertisingApi: { id: 'screenAdvertisingApi', name: 'Account' } },
      parameters: { authentication: 'apiKey', ...parameters },
    },
    { mode: 'trigger' },
  );

/** All that the model gets: the items as JSON, or the title of the error. */
async function heard(parameters: INodeParameters): Promise<unknown> {
  const { error, output } = await runTool(parameters);
  return error ? error.message : output(actionNode).map(({ json }) => json);
}

const screens = { resource: 'screen', operation: 'getAll' };
const period = { from: '2027-03-01', to: '2027-03-14' };
const past = { from: '2026-01-01', to: '2026-01-31' };
const coupon = {
  resource: 'coupon',
  operation: 'create',
  discount_type: 'percent',
  discount_value: '10',
  lead_email: 'lead@example.com',
};

/** As the model reads it. The service's address is another one in each run. */
const toModel = (given: unknown) =>
  JSON.parse(JSON.stringify(given).replaceAll(new URL(world.baseUrl).origin, 'https://service'));

const answer = (path: string, status: number, body: object) =>
  world.sandbox.faults.add({
    ...{ fault: 'status', status, path, body: JSON.stringify(body) },
    headers: { 'content-type': 'application/problem+json' },
  });
const unbookable = () =>
  world.sandbox.faults.add({
    ...{ fault: 'status', status: 404 },
    path: '/screens/scr_berlin_0001/availability',
  });
const place = { latitude: 52.52, longitude: 13.405 };
const threeScreens = () => {
  const data = [{ id: 'scr_1', ...place }, { id: 'scr_2', ...place }, { id: 'scr_3' }];
  answer('/screens', 200, { data, pagination: { has_more: false } });
};
const detail = 'valid_until must be in the future.';
const refuses = () =>
  answer('/coupons', 400, { type: 'about:blank', title: 'Refused', status: 400, detail });

interface Call {
  readonly parameters: INodeParameters;
  /** What makes the service respond so. */
  readonly given?: () => unknown;
  readonly gets: unknown;
}

const listed = {
  id: 'scr_berlin_0001',
  name: 'Friedrichstraße supermarket checkout',
  country: 'DE',
  city: 'Berlin',
  address: 'Friedrichstraße 95, Berlin',
  orientation: 'landscape',
  venue_type: 'supermarket',
  ad_sov_pct: 70,
  price_per_day: 22.5,
  price_per_day_cents: 2250,
};

/** Everything that the model receives. */
const calls: Readonly<Record<string, Call>> = {
  'a list that the limit cuts': {
    parameters: { ...screens, limit: 1 },
    gets: [{ notes: ["1 of 73 screens. Turn on 'Return All' to get all of them."] }, listed],
  },
  'a city that no screen is in': {
    parameters: { ...screens, filters: { city: 'Berln' } },
    gets: [{ notes: ['No screen is in "Berln". Did you mean "Berlin"?'] }],
  },
  'a list that is empty': {
    parameters: {
      resource: 'campaignRequest',
      operation: 'getAll',
      filters: { industry: 'space' },
    },
    gets: [
      {
        notes: [
          'No campaign request has the industry "space". Known values: automotive, events, fitness, gastronomy, real_estate, retail.',
        ],
      },
    ],
  },
  'a period in the past': {
    parameters: { ...screens, operation: 'getAvailability', screenId: 'scr_berlin_0001', ...past },
    gets: [
      { notes: ["'To' (2026-01-31) is in the past, so nothing can be booked any more."] },
      {
        screen_id: 'scr_berlin_0001',
        from: '2026-01-01',
        to: '2026-01-31',
        max_sov_pct: 70,
        used_sov_pct: 58,
        available_sov_pct: 12,
        price_per_day: 22.5,
        price_per_day_cents: 2250,
      },
    ],
  },
  'an expiry in the past': {
    parameters: { ...coupon, additionalFields: { valid_until: '2026-01-31', code: 'LEAD-1042' } },
    gets: [
      { notes: ["'Valid Until' (2026-01-31) is in the past, so the coupon may have expired."] },
      {
        code: 'LEAD-1042',
        status: 'expired',
        discount_type: 'percent',
        discount_value: 10,
        lead_email: 'lead@example.com',
        valid_until: '2026-01-31',
        max_redemptions: 1,
        created_at: '2027-02-01T09:00:00.000Z',
        redemptions: 0,
        redeemed_at: null,
        revoked_at: null,
        created: true,
      },
    ],
  },
  'a link without a value': {
    parameters: {
      ...{ resource: 'landingLink', operation: 'create', specifyFields: 'json' },
      fieldsJson: '{"UTM Campaign": "spring"}',
    },
    gets: [
      {
        notes: [
          'The link does not contain the value of "UTM Campaign". If it should, check how the field is spelled, such as utm_campaign.',
        ],
      },
      {
        id: 'lnk_0001',
        url: 'https://service/landing?utm_source=full&utm_medium=partner_api',
        created_at: '2027-02-01T09:00:00.000Z',
      },
    ],
  },
  'screens without coordinates near a place': {
    parameters: { ...screens, limit: 1, filters: { near: '52.5200, 13.4050' } },
    given: threeScreens,
    gets: [
      {
        notes: [
          'Screens left out because they have no coordinates: 1.',
          "1 of 2 screens. Turn on 'Return All' to get all of them.",
        ],
      },
      { id: 'scr_1', distance_km: 0 },
    ],
  },
  'screens that can no longer be booked': {
    parameters: {
      ...{ ...screens, operation: 'findAvailable', ...period },
      ...{ limit: 1, filters: { city: 'Berlin' } },
    },
    given: unbookable,
    gets: [
      {
        notes: [
          'Screens left out because they can no longer be booked: 1.',
          "1 of 3 screens. Turn on 'Return All' to get all of them.",
        ],
      },
      {
        id: 'scr_berlin_0005',
        name: 'Schönhauser Allee petrol station forecourt',
        city: 'Berlin',
        address: 'Schönhauser Allee 139, Berlin',
        available_sov_pct: 1,
        price_per_day: 23,
        total_price: 322,
        total_price_cents: 32200,
        from: '2027-03-01',
        to: '2027-03-14',
      },
    ],
  },
  'a value that the service refuses': {
    parameters: coupon,
    given: refuses,
    gets: "The service rejected the request (400). The service says: \"valid_until must be in the future.\" Fix what the service names, then retry. Percent must be at most 100. A past 'Valid Until' or certain characters in 'Code' may also be rejected.",
  },
  'a record that is not there': {
    parameters: { resource: 'coupon', operation: 'get', code: 'NO-SUCH' },
    gets: 'No coupon has the code "NO-SUCH" (404). The service says: "There is no coupon NO-SUCH." Check the code for typos: it is in the code field of the Create Coupon output. This credential cannot see coupons of another access.',
  },
  'a field that cannot be used': {
    parameters: { ...coupon, lead_email: 'lead' },
    gets: '\'Lead Email\' must be an email address such as lead@example.com, not "lead". Nothing was sent. Fix the field in this node, or the expression that fills it.',
  },
};

describe('an agent hears what people see', () => {
  it.each(Object.entries(calls))('of %s', async (_what, { parameters, given, gets }) => {
    given?.();
    expect(toModel(await heard(parameters))).toEqual(gets);
  });

  it('and nothing where the editor shows nothing', async () => {
    const items = (await heard({ ...screens, limit: 73 })) as object[];
    expect(items).toHaveLength(73);
    expect(items.filter((item) => 'notes' in item)).toEqual([]);
  });

  it('and of an error once, when the workflow continues after it', async () => {
    const { output } = await world.engine.runNode({
      type: 'screenAdvertisingTool',
      name: actionNode,
      onError: 'continueRegularOutput',
      credentials: { screenAdvertisingApi: { id: 'screenAdvertisingApi', name: 'Account' } },
      parameters: { authentication: 'apiKey', resource: 'coupon', operation: 'get', code: 'NO' },
    });
    const [item] = output(actionNode);
    expect(String(item?.json.error).split('No coupon has the code')).toHaveLength(2);
  });
});

describe('the request that explains an empty output', () => {
  const empty: INodeParameters = {
    authentication: 'apiKey',
    ...screens,
    filters: { city: 'Berln' },
  };
  const lists = () =>
    world.sandbox.journal.list().filter(({ path }) => path.startsWith('/screens')).length;

  it('is not made in a published workflow', async () => {
    await world.run(empty, { mode: 'trigger' });
    expect(lists()).toBe(1);
    world.sandbox.journal.clear();
    await world.run(empty, { mode: 'manual' });
    expect(lists()).toBe(2);
  });

  it('takes two seconds at most', async () => {
    const { credentials } = world.engine;
    const known = credentials.screenAdvertisingApi;
    // The output needs the one request of the minute.
    credentials.screenAdvertisingApi = { ...known, rateLimit: 1 };
    await world.sandbox.clock.advance(120_000);
    const before = world.sandbox.clock.now();
    const { run } = await world.run(empty, { mode: 'manual' });
    credentials.screenAdvertisingApi = known ?? {};
    expect(hintsOf(run)).toEqual([
      'No screens match City "Berln". Check the spelling, or remove a filter.',
    ]);
    expect(lists()).toBe(1);
    expect(world.sandbox.clock.now() - before).toBe(2_000);
  });

  it('is not retried', async () => {
    world.sandbox.faults.add({
      fault: 'status',
      status: 429,
      headers: { 'retry-after': '1' },
      path: '/screens',
      skip: 1,
    });
    const { run } = await world.run(empty, { mode: 'manual' });
    expect(hintsOf(run)).toEqual([
      'No screens match City "Berln". Check the spelling, or remove a filter.',
    ]);
    expect(lists()).toBe(2);
  });
});

const hintsOf = ({ data }: WorkflowResult['run']) =>
  data.resultData.runData[actionNode]?.[0]?.hints?.map(({ message }) => message);
