import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { actionNode, type WorkflowResult } from './engine.ts';
import { useWorld } from './world.ts';

const world = useWorld({ clock: 'frozen', startAt: '2027-02-01T09:00:00Z', screens: 80 });

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
const coupon = {
  resource: 'coupon',
  operation: 'create',
  discount_type: 'percent',
  discount_value: '10',
  lead_email: 'lead@example.com',
};

const place = { latitude: 52.52, longitude: 13.405 };
const threeScreens = () => {
  const data = [{ id: 'scr_1', ...place }, { id: 'scr_2', ...place }, { id: 'scr_3' }];
  const body = JSON.stringify({ data, pagination: { has_more: false } });
  world.sandbox.faults.add({ fault: 'status', status: 200, path: '/screens', body });
};

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

/** All that the model receives. hints.test.ts has every message. */
const calls: Readonly<Record<string, Call>> = {
  'a list that the limit cuts': {
    parameters: { ...screens, limit: 1 },
    gets: [{ notes: ["1 of 73 screens. Turn on 'Return All' to get all of them."] }, listed],
  },
  'a city that no screen is in': {
    parameters: { ...screens, filters: { city: 'Berln' } },
    gets: [{ notes: ['No screen is in "Berln". Did you mean "Berlin"?'] }],
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
  'a record that is not there': {
    parameters: { resource: 'coupon', operation: 'get', code: 'NO-SUCH' },
    gets: 'No coupon has the code "NO-SUCH" (404). The service says: "There is no coupon NO-SUCH." Check the code for typos: it is in the code field of the Create Coupon output. This credential cannot see coupons of another access.',
  },
};

describe('an agent hears what people see', () => {
  it.each(Object.entries(calls))('of %s', async (_what, { parameters, given, gets }) => {
    given?.();
    expect(await heard(parameters)).toEqual(gets);
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
