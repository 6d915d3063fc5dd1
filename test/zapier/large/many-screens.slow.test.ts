import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listen } from '../../shared/support/loopback.ts';
import { createZapierRunner, type ZapierRunner } from '../app/zapier.ts';

/** A fifth of what an account may have: a busy machine reads them within the time of a run. */
const count = 6000;
const pages = count / 200;

/** Zapier accepts 6 MB from a run. */
const maxBytes = 6 * 1024 * 1024;

/** As the service sends it, with texts as long as people write them. */
function screenAt(nth: number): Record<string, unknown> {
  const id = `scr_${String(nth).padStart(6, '0')}`;
  return {
    id,
    name: `Central Station, Main Hall, Screen ${nth}`,
    description: 'A large screen above the main entrance, seen by everyone who enters the hall.',
    country: 'DE',
    city: 'Berlin',
    address: `Europaplatz ${nth}, 10557 Berlin`,
    latitude: 52 + (nth % 100) / 100,
    longitude: 13 + (nth % 77) / 100,
    orientation: 'landscape',
    resolution_width: 1920,
    resolution_height: 1080,
    price_per_day_cents: 12_900,
    ad_sov_pct: 50,
    thumbnail_url: `https://files.service.example/screens/${id}/thumbnail.png`,
    venue_type: 'train_station',
    is_active: true,
    created_at: new Date(Date.UTC(2026, 0, 1) + ((nth * 7919) % 100_003) * 60_000).toISOString(),
  };
}

/** A service with as many screens, in no order. */
async function startManyScreens() {
  let total = count;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const { searchParams } = new URL(request.url ?? '', 'http://service.example');
    const from = Number(searchParams.get('cursor') ?? 0);
    const to = Math.min(total, from + Number(searchParams.get('limit') ?? 50));
    const data = Array.from({ length: to - from }, (_none, index) => screenAt(from + index));
    const pagination = { cursor: String(to), has_more: to < total, total_count: total };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data, pagination }));
  });
  const { port, close } = await listen(server);
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    close,
    add(more: number): void {
      total += more;
    },
    /** The number of requests since the last call. */
    takeRequests(): number {
      const taken = requests;
      requests = 0;
      return taken;
    },
  };
}

let service: Awaited<ReturnType<typeof startManyScreens>>;
let zapier: ZapierRunner;
beforeAll(async () => {
  // Signs what Zapier stores with a file until a step needs it.
  process.env.ZAPIER_DEPLOY_KEY = 'of-this-test';
  service = await startManyScreens();
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
