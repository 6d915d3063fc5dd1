import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { createPoller, type Poller } from './engine/poller.ts';
import { startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ clock: 'frozen', screens: 40 });
});
beforeEach(() => {
  world.sandbox.reset();
  set(0);
});
afterAll(() => world.stop());

const statuses = ['rejected', 'abandoned', 'no_inventory', 'converted'];
const created = 'campaign_request.created';
const listed = 'screen.listed';
const rises = 'screen.availability_rises_above';
const falls = 'screen.availability_falls_below';
const id = 'scr_berlin_0001';
const period = { from: '2027-03-01', to: '2027-03-31' };
const ofScreens = { share_pct: 10, ...period, screenFilters: { city: 'Berlin' } };

let triggers = 0;

function publish(
  events: string[],
  parameters: INodeParameters = {},
  staticData: IDataObject = {},
): Poller {
  triggers += 1;
  const node = {
    id: `poller-${triggers}`,
    type: 'screenAdvertisingPollingTrigger',
    // Read whenever n8n starts, so that a test may change them before.
    get parameters() {
      return { authentication: 'apiKey', events, ...ofScreens, ...parameters };
    },
  };
  return createPoller(world.engine, node, { staticData });
}

/** A trigger that has seen the existing campaign requests and screens. */
async function published(events: string[], parameters?: INodeParameters): Promise<Poller> {
  const poller = publish(events, parameters);
  expect(await poller.poll()).toEqual([]);
  return poller;
}

const add = (fields = {}) => world.sandbox.campaignRequests.add(fields);
const ids = (items: INodeExecutionData[]) =>
  items.map(({ json }) => (json.data as { id: string }).id);

/** Sets the available share of the screen from now on, in percent. */
function set(available: number): void {
  world.sandbox.screens.add({ id, ad_sov_pct: 100, used_sov_pct: 100 - available });
}

const told = (items: INodeExecutionData[]) =>
  items.map(({ json }) => `${json.type} ${(json.data as { screen_id: string }).screen_id}`);

it.each(['apiKey', 'clientCredentials'])(
  'new campaign requests start the workflow with %s',
  async (authentication) => {
    const poller = await published([created], { authentication });
    const { id } = add({ industry: 'retail' });
    const [item, ...others] = await poller.poll();
    expect(item?.json).toEqual({
      type: created,
      data: expect.objectContaining({ id, industry: 'retail' }),
    });
    expect(others).toEqual([]);
    expect(await poller.poll()).toEqual([]);
  },
);

it('a campaign request whose status changes starts the workflow once, with each status', async () => {
  const types = statuses.map((name) => `campaign_request.${name}`);
  const poller = await published(types);
  const added = statuses.map(() => add().id);
  expect(await poller.poll()).toEqual([]);
  for (const [nth, status] of statuses.entries()) change(added[nth] ?? '', status);
  const items = await poller.poll();
  expect(items.map(({ json }) => json.type).sort()).toEqual(types.toSorted());
  expect(ids(items).sort()).toEqual(added.toSorted());
  expect(await poller.poll()).toEqual([]);
});

it('more than a page of new requests, all of the same moment, arrives complete', async () => {
  const poller = await published([created]);
  const added = Array.from({ length: 250 }, () => add().id);
  expect(ids(await poller.poll()).sort()).toEqual(added.sort());
  expect(await poller.poll()).toEqual([]);
});

it('a failed poll loses and duplicates nothing', async () => {
  const poller = await published([created]);
  const first = Array.from({ length: 120 }, () => add().id);
  // The second page fails, over every attempt.
  world.sandbox.faults.add({ fault: 'status', status: 503, path: '/campaign-requests', skip: 1 });
  await expect(poller.poll()).rejects.toThrow('The service is not available (503)');
  world.sandbox.faults.clear();
  const second = add().id;
  expect(ids(await poller.poll()).sort()).toEqual([...first, second].sort());
  expect(await poller.poll()).toEqual([]);
});

it('a poll that starts before the previous one has ended does nothing', async () => {
  const poller = await published([created]);
  const { id } = add();
  const [one, other] = await Promise.all([poller.poll(), poller.poll()]);
  expect([...ids(one), ...ids(other)]).toEqual([id]);
});

it.each(['apiKey', 'clientCredentials'])(
  'a credential (%s) that is edited to lead to another address starts over',
  async (authentication) => {
    const stored = world.engine.credentials;
    const before = { ...stored };
    const poller = await published([created], { authentication });
    add();
    for (const [type, data] of Object.entries(stored)) {
      stored[type] = { ...data, baseUrl: `${world.baseUrl}/` };
    }
    expect(await poller.poll()).toEqual([]);
    const { id } = add();
    expect(ids(await poller.poll())).toEqual([id]);
    Object.assign(stored, before);
  },
);

it('the filter excludes other industries', async () => {
  const poller = await published([created], { filters: { industry: 'fitness' } });
  add({ industry: 'retail' });
  const { id } = add({ industry: 'fitness' });
  expect(ids(await poller.poll())).toEqual([id]);
});

describe('after a restart of n8n', () => {
  it('a campaign request that has started nothing is checked again', async () => {
    const poller = await published(['campaign_request.rejected']);
    const [seen, unseen] = [add().id, add().id];
    expect(await poller.poll()).toEqual([]);
    change(seen, 'rejected');
    poller.restart();
    expect(ids(await poller.poll())).toEqual([seen]);
    change(unseen, 'rejected');
    expect(ids(await poller.poll())).toEqual([unseen]);
  });

  it.each([
    ['is forgotten when it started nothing', ['rejected'], 0],
    ['is remembered when every status is chosen', statuses, 1],
  ])('a status between two equal ones %s', async (_what, chosen, count) => {
    const poller = await published(chosen.map((name) => `campaign_request.${name}`));
    const { id } = add({ status: 'rejected' });
    expect(ids(await poller.poll())).toEqual([id]);
    change(id, 'converted');
    await poller.poll();
    poller.restart();
    change(id, 'rejected');
    expect(await poller.poll()).toHaveLength(count);
  });

  it.each([
    ['20,000 records are remembered, also those that are gone', 0, []],
    ['those that are gone are forgotten above that', 1, ['cr_gone']],
  ])('%s', async (_what, above, expected) => {
    const node = publish([created]);
    await node.poll();
    add({ id: 'cr_gone' });
    expect(ids(await node.poll())).toEqual(['cr_gone']);
    world.sandbox.reset();
    const [[name = '', state] = []] = Object.entries(node.staticData());
    const { seen, ...rest } = state as { seen: Record<string, string> };
    const length = 20_000 + above - Object.keys(seen).length;
    const others = Object.fromEntries(Array.from({ length }, (_, nth) => [`cr_other${nth}`, '']));
    const staticData = { [name]: { ...rest, seen: { ...seen, ...others } } };
    const later = publish([created], {}, staticData);
    expect(await later.poll()).toEqual([]);
    add({ id: 'cr_gone' });
    expect(ids(await later.poll())).toEqual(expected);
  });

  it('a node with another name starts over', async () => {
    let name = 'Trigger';
    const poller = createPoller(world.engine, {
      type: 'screenAdvertisingPollingTrigger',
      parameters: { authentication: 'apiKey', events: [created] },
      get name() {
        return name;
      },
    });
    await poller.poll();
    add();
    name = 'Trigger 2';
    poller.restart();
    expect(await poller.poll()).toEqual([]);
  });
});

it('a screen that rises above the threshold and falls below it starts the workflow once each time', async () => {
  const poller = await published([rises, falls]);
  set(25);
  const [item, ...others] = await poller.poll();
  expect(item?.json).toEqual({
    type: rises,
    data: {
      screen_id: id,
      ...period,
      max_sov_pct: 100,
      used_sov_pct: 75,
      available_sov_pct: 25,
      price_per_day: 22.5,
      price_per_day_cents: 2250,
      share_pct: 10,
      previous_available_sov_pct: 0,
      screen: expect.objectContaining({ id, city: 'Berlin' }),
    },
  });
  expect(others).toEqual([]);
  expect(await poller.poll()).toEqual([]);
  set(30);
  expect(await poller.poll()).toEqual([]);
  set(5);
  expect(told(await poller.poll())).toEqual([`${falls} ${id}`]);
  expect(await poller.poll()).toEqual([]);
  set(11);
  expect(told(await poller.poll())).toEqual([`${rises} ${id}`]);
});

it('a screen that is listed for the first time starts the workflow once', async () => {
  const poller = await published([listed]);
  const place = { latitude: 52.52, longitude: 13.405 };
  world.sandbox.screens.add({ id: 'scr_new', city: 'Berlin', ...place });
  world.sandbox.screens.add({ id: 'scr_elsewhere', city: 'Paris', ...place });
  const [item, ...others] = await poller.poll();
  expect(item?.json).toEqual({
    type: listed,
    data: expect.objectContaining({ id: 'scr_new', city: 'Berlin' }),
  });
  expect(others).toEqual([]);
  expect(await poller.poll()).toEqual([]);
});

it('a new screen has its distance, and starts nothing if it is too far from the place', async () => {
  const near = { near: '52.5200, 13.4050', radius_km: 1 };
  const poller = await published([listed], { screenFilters: near });
  world.sandbox.screens.add({ id: 'scr_here', latitude: 52.52, longitude: 13.405 });
  world.sandbox.screens.add({ id: 'scr_there', latitude: 52.6, longitude: 13.405 });
  expect((await poller.poll()).map(({ json }) => json.data)).toMatchObject([
    { id: 'scr_here', distance_km: 0 },
  ]);
});

it('a failed poll for screens and requests loses and duplicates nothing', async () => {
  const poller = await published([rises, 'campaign_request.created']);
  set(25);
  const { id: request } = world.sandbox.campaignRequests.add();
  world.sandbox.faults.add({ fault: 'status', status: 500, path: '/screens/*/availability' });
  await expect(poller.poll()).rejects.toThrow('The service is not available (500)');
  world.sandbox.faults.clear();
  const items = await poller.poll();
  expect(items.map(({ json }) => json.type)).toEqual(['campaign_request.created', rises]);
  expect(items[0]?.json.data).toMatchObject({ id: request });
  expect(await poller.poll()).toEqual([]);
});

it('only the chosen kinds of records are requested', async () => {
  await published([rises]);
  const paths = world.sandbox.journal.list().map(({ path }) => path);
  expect(paths.some((path) => path.includes('campaign-requests'))).toBe(false);
  world.sandbox.journal.clear();
  await published(['campaign_request.created']);
  expect(world.sandbox.journal.list().map(({ path }) => path)).toEqual(['/campaign-requests']);
});

it('another period resets the trigger, another threshold does not', async () => {
  const parameters: INodeParameters = {};
  const poller = await published([rises], parameters);
  Object.assign(parameters, { to: '2027-03-30' });
  poller.restart();
  set(25);
  expect(await poller.poll()).toEqual([]);
  Object.assign(parameters, { share_pct: 40 });
  poller.restart();
  set(50);
  expect(told(await poller.poll())).toEqual([`${rises} ${id}`]);
});

it.each([
  ['is forgotten when it started nothing', [rises], [[], []]],
  [
    'is remembered when both directions are chosen',
    [rises, falls],
    [[`${falls} ${id}`], [`${rises} ${id}`]],
  ],
])('an earlier crossing %s', async (_what, events, expected) => {
  const poller = await published(events);
  set(25);
  expect(told(await poller.poll())).toEqual([`${rises} ${id}`]);
  set(5);
  const fell = await poller.poll();
  poller.restart();
  set(25);
  expect([told(fell), told(await poller.poll())]).toEqual(expected);
});

describe('while the workflow is being built', () => {
  it.each([
    ['campaign_request.converted', { status: 'converted' }],
    [listed, { id: expect.any(String) }],
    [rises, { screen_id: expect.any(String), share_pct: 10, previous_available_sov_pct: null }],
  ])('a poll for %s shows an existing record, and remembers nothing', async (type, data) => {
    const poller = publish([type]);
    expect(await poller.poll('manual')).toMatchObject([{ json: { type, data } }]);
    expect(poller.staticData()).toEqual({});
  });

  it.each([
    ['campaign request', created, { filters: { industry: 'space travel' } }],
    ['screen', rises, { screenFilters: { city: 'Atlantis' } }],
  ])('a poll that finds no %s says so', async (what, event, filters) => {
    await expect(publish([event], filters).poll('manual')).rejects.toMatchObject({
      message: `There is no ${what} yet that matches 'Trigger On' and the filters`,
      description: `Choose more events, remove the filter, or wait for a ${what}.`,
    });
  });

  it.each([
    [{ share_pct: 101 }, "'Threshold' must be at most 100, not 101"],
    [{ share_pct: 100 }, "'Threshold' must not be 100, because no share rises above 100"],
    [{ share_pct: '' }, "'Threshold' is required"],
    [{ from: "={{ '' }}" }, "'From' is required"],
    [{ to: '2027-02-01' }, "'To' (2027-02-01) must not be before 'From'"],
  ])('for %j the error names the label of the field', async (fields, message) => {
    await expect(publish([rises], fields).poll('manual')).rejects.toMatchObject({ message });
  });
});

function change(id: string, status: string): void {
  add({ id, status });
}
