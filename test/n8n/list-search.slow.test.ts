import { afterEach, describe, expect, it } from '@jest/globals';
import type { SandboxOptions } from '@screen-advertising/sandbox';
import { hurriedTime } from './hurried-time.ts';
import { startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.stop());

const node = {
  type: 'screenAdvertising',
  parameters: { authentication: 'apiKey', resource: 'screen', operation: 'get' },
};
const search = (filter?: string, token?: string) =>
  world.engine.listSearch(node, 'getScreens', filter, token);
const requests = () => world.sandbox.journal.list().length;

/** A service with pages of 200 screens, of which these have "needle" in their name. */
async function hide(at: readonly number[], options: SandboxOptions): Promise<string[]> {
  // Waits take no time unless a test moves the clock: a busy machine must not end a search.
  world = await startWorld(options, hurriedTime());
  const listed = await world.items({ resource: 'screen', operation: 'getAll', returnAll: true });
  world.sandbox.journal.clear();
  return at.map((index) => {
    const id = String(listed.at(index)?.json.id);
    world.sandbox.screens.add({ id, name: `Needle ${index}` });
    return id;
  });
}

describe('the list of screens', () => {
  it('arrives page by page without a search', async () => {
    world = await startWorld({ screens: 500 });
    const first = await search();
    expect(first.results).toHaveLength(200);
    expect(requests()).toBe(1);
    const second = await search('', String(first.paginationToken));
    expect(second.results).toHaveLength(200);
  });

  it('is searched until there is enough to scroll, and continues from there', async () => {
    const places = Array.from({ length: 25 }, (_, index) => index * 20);
    const hidden = await hide(places, { screens: 1000 });
    const first = await search('needle');
    expect(first.results.length).toBeGreaterThanOrEqual(20);
    const rest = await search('needle', String(first.paginationToken));
    expect([...first.results, ...rest.results].map(({ value }) => value)).toEqual(hidden);
    expect(rest.paginationToken).toBeUndefined();
  });

  it('is searched over 50 pages at a time', async () => {
    const [last] = await hide([-1], { screens: 12_000 });
    const first = await search('needle');
    expect(first.results).toEqual([]);
    expect(requests()).toBe(50);
    const rest = await search('needle', String(first.paginationToken));
    expect(rest.results.map(({ value }) => value)).toEqual([last]);
  });

  it('is searched for ten seconds at a time', async () => {
    await hide([0], { screens: 1000, clock: 'frozen' });
    const wait = { 'retry-after': '12' };
    world.sandbox.faults.add({ fault: 'status', status: 429, headers: wait, skip: 1, times: 1 });
    const found = await search('needle');
    expect(found.results).toHaveLength(1);
    expect(found.paginationToken).toEqual(expect.any(String));
    expect(requests()).toBe(3);
  });
});

it('the list of campaign requests shows everything known about each', async () => {
  world = await startWorld();
  const { results } = await world.engine.listSearch(node, 'getCampaignRequests', ' Rejected ');
  expect(results[0]?.name).toMatch(/^cr_\d+ \(\w+, rejected\)$/);
});

describe('the lists of values that filters take', () => {
  const values = (type: string, method: string, filter?: string) =>
    world.engine.listSearch({ ...node, type }, method, filter);

  it.each(['screenAdvertising', 'screenAdvertisingPollingTrigger'])(
    'of %s are those of the records, and searched by their names',
    async (type) => {
      world = await startWorld({ screens: 300 });
      const { results } = await values(type, 'getCities', ' berl');
      expect(results).toEqual([{ name: 'Berlin', value: 'Berlin' }]);
      expect((await values(type, 'getCountries', 'germ')).results).toEqual([
        { name: 'Germany (DE)', value: 'DE' },
      ]);
      expect((await values(type, 'getOrientations')).results.map(({ value }) => value)).toEqual([
        'landscape',
        'portrait',
        'square',
      ]);
      expect((await values(type, 'getIndustries', 'retail')).results).toHaveLength(1);
    },
  );

  it('say why they cannot be read', async () => {
    world = await startWorld();
    world.sandbox.faults.add({ fault: 'status', status: 403 });
    await expect(values('screenAdvertising', 'getCities')).rejects.toMatchObject({
      message: expect.stringContaining('403'),
    });
  });
});
