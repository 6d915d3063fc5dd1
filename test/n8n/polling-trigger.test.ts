import { describe, expect, it } from '@jest/globals';
import {
  changesIn,
  created,
  falls,
  ids,
  listed,
  period,
  rises,
  screenId,
  statuses,
  usePolledService,
} from './polling-bench.ts';

const service = usePolledService();

it.each(['apiKey', 'clientCredentials'])(
  'new campaign requests start the workflow with %s',
  async (authentication) => {
    const poller = await service.published([created], { authentication });
    const { id } = service.add({ industry: 'retail' });
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
  const poller = await service.published(types);
  const added = statuses.map(() => service.add().id);
  expect(await poller.poll()).toEqual([]);
  for (const [nth, status] of statuses.entries()) service.add({ id: added[nth] ?? '', status });
  const items = await poller.poll();
  expect(items.map(({ json }) => json.type).sort()).toEqual(types.toSorted());
  expect(ids(items).sort()).toEqual(added.toSorted());
  expect(await poller.poll()).toEqual([]);
});

it('more than a page of new requests, all of the same moment, arrives complete', async () => {
  const poller = await service.published([created]);
  const added = Array.from({ length: 250 }, () => service.add().id);
  expect(ids(await poller.poll()).sort()).toEqual(added.sort());
  expect(await poller.poll()).toEqual([]);
});

it('the filter excludes other industries', async () => {
  const poller = await service.published([created], { filters: { industry: 'fitness' } });
  service.add({ industry: 'retail' });
  const { id } = service.add({ industry: 'fitness' });
  expect(ids(await poller.poll())).toEqual([id]);
});

it('a list of 150,000 campaign requests in one page is read, poll after poll', async () => {
  const data = Array.from({ length: 150_000 }, (_, nth) => ({ id: `cr${nth}` }));
  const list = (records: object[]) => {
    service.sandbox.faults.clear();
    const body = JSON.stringify({ data: records });
    service.sandbox.faults.add({
      fault: 'status',
      status: 200,
      path: '/campaign-requests',
      body,
    });
  };
  list(data);
  const poller = await service.published([created]);
  list([...data, { id: 'cr_new' }]);
  expect(ids(await poller.poll())).toEqual(['cr_new']);
});

it('a screen that rises above the threshold and falls below it starts the workflow once each time', async () => {
  const poller = await service.published([rises, falls]);
  service.set(25);
  const [item, ...others] = await poller.poll();
  expect(item?.json).toEqual({
    type: rises,
    data: {
      screen_id: screenId,
      ...period,
      max_sov_pct: 100,
      used_sov_pct: 75,
      available_sov_pct: 25,
      price_per_day: 22.5,
      price_per_day_cents: 2250,
      share_pct: 10,
      previous_available_sov_pct: 0,
      screen: expect.objectContaining({ id: screenId, city: 'Berlin' }),
    },
  });
  expect(others).toEqual([]);
  expect(await poller.poll()).toEqual([]);
  service.set(30);
  expect(await poller.poll()).toEqual([]);
  service.set(5);
  expect(changesIn(await poller.poll())).toEqual([`${falls} ${screenId}`]);
  expect(await poller.poll()).toEqual([]);
  service.set(11);
  expect(changesIn(await poller.poll())).toEqual([`${rises} ${screenId}`]);
});

it('a screen that is listed for the first time starts the workflow once', async () => {
  const poller = await service.published([listed]);
  const place = { latitude: 52.52, longitude: 13.405 };
  service.sandbox.screens.add({ id: 'scr_new', city: 'Berlin', ...place });
  service.sandbox.screens.add({ id: 'scr_elsewhere', city: 'Paris', ...place });
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
  const poller = await service.published([listed], { screenFilters: near });
  service.sandbox.screens.add({ id: 'scr_here', latitude: 52.52, longitude: 13.405 });
  service.sandbox.screens.add({ id: 'scr_there', latitude: 52.6, longitude: 13.405 });
  expect((await poller.poll()).map(({ json }) => json.data)).toMatchObject([
    { id: 'scr_here', distance_km: 0 },
  ]);
});

it('only the chosen kinds of records are requested', async () => {
  await service.published([rises]);
  const paths = service.sandbox.journal.list().map(({ path }) => path);
  expect(paths.some((path) => path.includes('campaign-requests'))).toBe(false);
  service.sandbox.journal.clear();
  await service.published(['campaign_request.created']);
  expect(service.sandbox.journal.list().map(({ path }) => path)).toEqual(['/campaign-requests']);
});

it('a poll that starts before the previous one has ended does nothing', async () => {
  const poller = await service.published([created]);
  const { id } = service.add();
  const [one, other] = await Promise.all([poller.poll(), poller.poll()]);
  expect([...ids(one), ...ids(other)]).toEqual([id]);
});

it('a failed poll for screens and requests loses and duplicates nothing', async () => {
  const poller = await service.published([rises, 'campaign_request.created']);
  service.set(25);
  const { id: request } = service.sandbox.campaignRequests.add();
  service.sandbox.faults.add({
    fault: 'status',
    status: 500,
    path: '/screens/*/availability',
  });
  await expect(poller.poll()).rejects.toThrow('The service is not available (500)');
  service.sandbox.faults.clear();
  const items = await poller.poll();
  expect(items.map(({ json }) => json.type)).toEqual(['campaign_request.created', rises]);
  expect(items[0]?.json.data).toMatchObject({ id: request });
  expect(await poller.poll()).toEqual([]);
});

it('a failed poll loses and duplicates nothing', async () => {
  const poller = await service.published([created]);
  const first = Array.from({ length: 120 }, () => service.add().id);
  // The second page fails, over every attempt.
  service.sandbox.faults.add({
    fault: 'status',
    status: 503,
    path: '/campaign-requests',
    skip: 1,
  });
  await expect(poller.poll()).rejects.toThrow('The service is not available (503)');
  service.sandbox.faults.clear();
  const second = service.add().id;
  expect(ids(await poller.poll()).sort()).toEqual([...first, second].sort());
  expect(await poller.poll()).toEqual([]);
});

describe('while the workflow is being built', () => {
  it.each([
    ['campaign_request.converted', { status: 'converted' }],
    [listed, { id: expect.any(String) }],
    [rises, { screen_id: expect.any(String), share_pct: 10, previous_available_sov_pct: null }],
  ])('a poll for %s shows an existing record, and remembers nothing', async (type, data) => {
    const poller = service.publish([type]);
    expect(await poller.poll('manual')).toMatchObject([{ json: { type, data } }]);
    expect(poller.staticData()).toEqual({});
  });

  it.each([
    ['campaign request', created, { filters: { industry: 'space travel' } }],
    ['screen', rises, { screenFilters: { city: 'Atlantis' } }],
  ])('a poll that finds no %s says so', async (what, event, filters) => {
    await expect(service.publish([event], filters).poll('manual')).rejects.toMatchObject({
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
    await expect(service.publish([rises], fields).poll('manual')).rejects.toMatchObject({
      message,
    });
  });
});
