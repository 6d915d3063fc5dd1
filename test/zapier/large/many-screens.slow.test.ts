import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createZapierRunner, type ZapierRunner } from '../app/runner.ts';
import { startManyScreens } from './many-screens-service.ts';

/** A fifth of what an account may have: a busy machine reads them within the time of a run. */
const count = 6000;
const pages = count / 200;

/** Zapier accepts 6 MB from a run. */
const maxBytes = 6 * 1024 * 1024;

let service: Awaited<ReturnType<typeof startManyScreens>>;
let zapier: ZapierRunner;
beforeAll(async () => {
  // Signs what Zapier stores with a file until a step needs it.
  process.env.ZAPIER_DEPLOY_KEY = 'of-this-test';
  service = await startManyScreens(count);
  zapier = createZapierRunner({
    baseUrl: service.baseUrl,
    credentials: { apiKey: 'svc_abc' },
    event: { rpc_base: 'http://127.0.0.1:9/rpc' },
  });
});
beforeEach(() => {
  service.takeRequests();
});
afterAll(async () => {
  delete process.env.ZAPIER_DEPLOY_KEY;
  await service.close();
});

const bytesOf = (records: unknown): number => JSON.stringify(records).length;
const idsOf = (records: readonly Record<string, unknown>[]) => records.map(({ id }) => id);

describe('New Screen', () => {
  it.each([{}, { near: '52.5, 13.4' }])(
    'shows three examples from one page, the newest first: %j',
    async (input) => {
      const examples = await zapier.poll('new_screen', input, { isLoadingSample: true });
      expect(examples).toHaveLength(3);
      const times = examples.map(({ created_at }) => String(created_at));
      expect(times).toEqual(times.toSorted().toReversed());
      expect(service.takeRequests()).toBe(1);
    },
  );

  it('turns on with the IDs alone, and then returns only new screens', async () => {
    const known = await zapier.poll('new_screen', {}, { isPopulatingDedupe: true });
    expect(known).toHaveLength(count);
    expect(known[0]).toEqual({ id: 'scr_000000' });
    expect((bytesOf(known) / count) * 30_000).toBeLessThan(maxBytes / 4);
    expect(service.takeRequests()).toBe(pages);
    expect(await zapier.poll('new_screen')).toEqual([]);
    service.add(2);
    const added = await zapier.poll('new_screen');
    expect(idsOf(added).toSorted()).toEqual(['scr_006000', 'scr_006001']);
    expect(added[0]).toMatchObject({ name: expect.any(String), price_per_day: 129 });
    // The poll of another Zap with this connection returns them, too.
    expect(idsOf(await zapier.poll('new_screen')).toSorted()).toEqual(idsOf(added).toSorted());
  });

  it('returns the hundred newest when Zapier has lost the last poll', async () => {
    const found = await zapier.poll('new_screen', { country: 'DE' });
    expect(found).toHaveLength(100);
    const times = found.map(({ created_at }) => String(created_at));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(bytesOf(found)).toBeLessThan(maxBytes / 10);
  });
});

it('Find Screen returns at most 1,000 screens, the nearest first, and says so in its form', async () => {
  const found = await zapier.search('find_screen', { near: '52.5, 13.4' });
  expect(found).toHaveLength(1000);
  expect(bytesOf(found)).toBeLessThan(maxBytes / 3);
  const distances = found.map(({ distance_km }) => Number(distance_km));
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  const fields = await zapier.run('searches.find_screen.operation.inputFields');
  expect(fields).toContainEqual(
    expect.objectContaining({
      key: 'sort_by',
      helpText: expect.stringContaining('at most 1,000 are returned'),
    }),
  );
});
