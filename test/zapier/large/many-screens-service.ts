import { createServer } from 'node:http';
import { listen } from '../../shared/support/loopback.ts';

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

/** A service with this many screens, in no order. The test closes it. */
export async function startManyScreens(count: number) {
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
