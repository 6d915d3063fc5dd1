import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
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

const rises = 'screen.availability_rises_above';
const falls = 'screen.availability_falls_below';
const id = 'scr_berlin_0001';
const other = 'scr_berlin_0002';
const period = { from: '2027-03-01', to: '2027-03-31' };

let triggers = 0;

function publish(events: string[], parameters: INodeParameters = {}): Poller {
  triggers += 1;
  return createPoller(world.engine, {
    id: `screens-${triggers}`,
    type: 'screenAdvertisingPollingTrigger',
    // Read whenever n8n starts, so that a test may change them before.
    get parameters() {
      return {
        authentication: 'apiKey',
        events,
        share_pct: 10,
        ...period,
        screenFilters: { city: 'Berlin' },
        ...parameters,
      };
    },
  });
}

/** A trigger that has seen the existing screens. */
async function published(events: string[], parameters?: INodeParameters): Promise<Poller> {
  const poller = publish(events, parameters);
  expect(await poller.poll()).toEqual([]);
  return poller;
}

/** Sets the available share of a screen from now on, in percent. */
function set(available: number, screen = id): void {
  world.sandbox.screens.add({ id: screen, ad_sov_pct: 100, used_sov_pct: 100 - available });
}

const told = (items: INodeExecutionData[]) =>
  items.map(({ json }) => `${json.type} ${(json.data as { screen_id: string }).screen_id}`);

it.each(['apiKey', 'clientCredentials'])(
  'a screen that rises above the threshold and falls below it starts the workflow once each time, with %s',
  async (authentication) => {
    const poller = await published([rises, falls], { authentication });
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
        price_per_day_cents: expect.any(Number),
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
  },
);

it('near a place, only screens within the radius are watched, and each change has its distance', async () => {
  const place = { ad_sov_pct: 100, used_sov_pct: 100, latitude: 0 };
  world.sandbox.screens.add({ ...place, id: 'scr_near', longitude: 0.01 });
  world.sandbox.screens.add({ ...place, id: 'scr_far', longitude: 0.02 });
  const screenFilters = { near: '0, 0', radius_km: 2 };
  const poller = await published([rises], { screenFilters });
  set(25, 'scr_near');
  set(25, 'scr_far');
  expect(await poller.poll()).toMatchObject([
    { json: { type: rises, data: { screen_id: 'scr_near', distance_km: 1.112 } } },
  ]);
  expect(world.sandbox.journal.list().some(({ path }) => path.includes('scr_far'))).toBe(false);
});

it('an unreadable screen loses no event, and holds up no other screen', async () => {
  set(0, other);
  const poller = await published([rises]);
  set(25);
  set(25, other);
  world.sandbox.faults.add({ fault: 'status', status: 500, path: `/screens/${id}/availability` });
  expect(told(await poller.poll())).toEqual([`${rises} ${other}`]);
  world.sandbox.faults.clear();
  expect(told(await poller.poll())).toEqual([`${rises} ${id}`]);
});

it('a failed poll loses and duplicates nothing', async () => {
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

it.each([
  ['another period', { to: '2027-03-30' }],
  ['other filters', { screenFilters: { country: 'DE' } }],
])('%s resets the trigger, another threshold does not', async (_what, change) => {
  const parameters: INodeParameters = {};
  const poller = await published([rises], parameters);
  Object.assign(parameters, change);
  poller.restart();
  set(25);
  expect(await poller.poll()).toEqual([]);
  Object.assign(parameters, { share_pct: 40 });
  poller.restart();
  set(50);
  expect(told(await poller.poll())).toEqual([`${rises} ${id}`]);
});

describe('after a restart of n8n', () => {
  it('a crossing in between starts the workflow', async () => {
    const poller = await published([rises]);
    set(25);
    poller.restart();
    expect(told(await poller.poll())).toEqual([`${rises} ${id}`]);
    poller.restart();
    expect(await poller.poll()).toEqual([]);
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
});

describe('while the workflow is being built', () => {
  it.each([rises, falls])('a poll for %s shows a screen, and remembers nothing', async (event) => {
    const poller = publish([event]);
    const [sample, ...others] = await poller.poll('manual');
    expect(sample?.json).toMatchObject({
      type: event,
      data: { screen_id: expect.any(String), share_pct: 10, previous_available_sov_pct: null },
    });
    expect(others).toEqual([]);
    expect(poller.staticData()).toEqual({});
  });

  it('a poll that finds no screen says so', async () => {
    const poller = publish([rises], { screenFilters: { city: 'Atlantis' } });
    await expect(poller.poll('manual')).rejects.toMatchObject({
      message: "There is no screen yet that matches 'Trigger On' and the filters",
      description: 'Choose more events, remove the filter, or wait for a screen.',
    });
  });

  it.each([
    [{ share_pct: 101 }, "'Threshold' must be at most 100"],
    [{ share_pct: 100 }, "'Threshold' must be less than 100, because no share rises above 100"],
    [{ share_pct: '' }, "'Threshold' is required"],
    [{ from: "={{ '' }}" }, "'From' is required"],
    [{ to: '2027-02-01' }, "'To' must not be before 'From'"],
  ])('for %j the error names the label of the field', async (fields, message) => {
    await expect(publish([rises], fields).poll('manual')).rejects.toMatchObject({ message });
  });
});
