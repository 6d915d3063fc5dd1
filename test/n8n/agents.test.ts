import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { actionNode, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ clock: 'frozen', screens: 80 });
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

describe('an agent hears what the editor shows', () => {
  it.each<[string, INodeParameters, unknown]>([
    [
      'of a list that the limit cuts',
      { ...screens, limit: 1 },
      [
        { notes: ["1 of 73 screens. Turn on 'Return All' to get all of them."] },
        expect.objectContaining({ id: 'scr_berlin_0001' }),
      ],
    ],
    [
      'of a city that no screen is in',
      { ...screens, filters: { city: 'Berln' } },
      [{ notes: ['No screen is in "Berln". Did you mean "Berlin"?'] }],
    ],
    [
      'of a list without filters that is empty',
      { resource: 'campaignRequest', operation: 'getAll', filters: { industry: 'space' } },
      [{ notes: [expect.stringMatching(/^No campaign request has the industry "space"\. Known/)] }],
    ],
    [
      'of a period in the past',
      { ...screens, operation: 'getAvailability', screenId: 'scr_berlin_0001', ...past },
      [
        { notes: ["'To' (2026-01-31) is in the past, so nothing can be booked any more."] },
        expect.objectContaining({ screen_id: 'scr_berlin_0001' }),
      ],
    ],
    [
      'of an expiry in the past',
      { ...coupon, additionalFields: { valid_until: '2026-01-31' } },
      [
        { notes: ["'Valid Until' (2026-01-31) is in the past, so the coupon may have expired."] },
        expect.objectContaining({ lead_email: 'lead@example.com' }),
      ],
    ],
    [
      'of a link without a value',
      {
        resource: 'landingLink',
        operation: 'create',
        specifyFields: 'json',
        fieldsJson: '{"UTM Campaign": "spring"}',
      },
      [
        {
          notes: [
            'The link does not contain the value of "UTM Campaign". If it should, check how the field is spelled, such as utm_campaign.',
          ],
        },
        expect.objectContaining({ url: expect.any(String) }),
      ],
    ],
  ])('%s', async (_what, parameters, expected) => {
    expect(await heard(parameters)).toEqual(expected);
  });

  it('of screens without coordinates near a place', async () => {
    const place = { latitude: 52.52, longitude: 13.405 };
    const data = [{ id: 'scr_1', ...place }, { id: 'scr_2', ...place }, { id: 'scr_3' }];
    const body = JSON.stringify({ data, pagination: { has_more: false } });
    world.sandbox.faults.add({ fault: 'status', status: 200, path: '/screens', body });
    const near = { ...screens, limit: 1, filters: { near: '52.5200, 13.4050' } };
    expect(await heard(near)).toEqual([
      {
        notes: [
          'Screens left out because they have no coordinates: 1.',
          "1 of 2 screens. Turn on 'Return All' to get all of them.",
        ],
      },
      { id: 'scr_1', distance_km: 0 },
    ]);
  });

  it('and nothing where the editor shows nothing', async () => {
    const items = (await heard({ ...screens, limit: 73 })) as object[];
    expect(items).toHaveLength(73);
    expect(items.filter((item) => 'notes' in item)).toEqual([]);
  });

  it('of screens that can no longer be booked', async () => {
    const path = '/screens/scr_berlin_0001/availability';
    world.sandbox.faults.add({ fault: 'status', status: 404, path });
    const find = { ...screens, operation: 'findAvailable', ...period, returnAll: true };
    const [first] = (await heard({ ...find, filters: { city: 'Berlin' } })) as unknown[];
    expect(first).toEqual({ notes: ['Screens left out because they can no longer be booked: 1.'] });
  });
});

describe('an agent gets an error with the words of the service', () => {
  const refused = (status: number, detail: string, path: string) =>
    world.sandbox.faults.add({
      fault: 'status',
      status,
      path,
      headers: { 'content-type': 'application/problem+json' },
      body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail }),
    });

  it('that refuses a value', async () => {
    refused(400, 'valid_until must be in the future.', '/coupons');
    expect(await heard(coupon)).toMatch(
      /^The service rejected the request \(400\)\. The service says: .*valid_until must be in the future\./,
    );
  });

  it('that does not know a record', async () => {
    expect(await heard({ resource: 'coupon', operation: 'get', code: 'NO-SUCH' })).toMatch(
      /^No coupon has the code "NO-SUCH" \(404\)\. .*Check the code for typos/,
    );
  });

  it('or what is wrong with a field, and that nothing was sent', async () => {
    expect(await heard({ ...coupon, lead_email: 'lead' })).toMatch(
      /^'Lead Email' .*\. Nothing was sent\. Fix the field in this node, or the expression that fills it\.$/,
    );
  });

  it('and once, when the workflow continues after it', async () => {
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

  it('takes two seconds at most, and is not retried', async () => {
    world.sandbox.faults.add({
      fault: 'status',
      status: 429,
      headers: { 'retry-after': '60' },
      path: '/screens',
      skip: 1,
    });
    const before = world.sandbox.clock.now();
    const { run } = await world.run(empty, { mode: 'manual' });
    const [data] = run.data.resultData.runData[actionNode] ?? [];
    expect(data?.hints?.map(({ message }) => message)).toEqual([
      'No screens match City "Berln". Check the spelling, or remove a filter.',
    ]);
    expect(lists()).toBe(2);
    expect(world.sandbox.clock.now() - before).toBeLessThanOrEqual(2_000);
  });
});
