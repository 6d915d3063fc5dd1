import { describe, expect, it } from '@jest/globals';
import { created, ids, listed, rises, usePolledService } from './polling-bench.ts';

const service = usePolledService();

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
