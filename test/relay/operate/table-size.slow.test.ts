import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase, start } from '../support/running-relay.ts';

const type = 'campaign.paid';
const hour = 3_600_000;
const perHour = 12;

const bytesOfTables = `
SELECT sum(pg_total_relation_size(oid))::float8 AS bytes
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

it('tables that keep a day of events grow no more after the first day', async () => {
  const receiver = await startReceiver();
  const running = await start({ retentionDays: 1 });
  await running.call('PUT', '/subscriptions', { target_url: receiver.url, events: [type] });
  const sizes = await onDatabase(running.databaseUrl, async (client) => {
    const afterDay: number[] = [];
    for (let hours = 1; hours <= 72; hours += 1) {
      for (let nth = 0; nth < perHour; nth += 1) {
        // Does not compress, so each takes its place.
        const text = randomBytes(2_000).toString('base64');
        await running.deliver({ id: `${hours}-${nth}`, type, data: { text } });
      }
      await running.relay.clock.advance(hour);
      // PostgreSQL does so automatically, each minute of real time.
      await client.query('VACUUM');
      if (hours % 24 > 0) continue;
      const { rows } = await client.query(bytesOfTables);
      afterDay.push(rows[0].bytes);
    }
    return afterDay;
  });
  const [first = 0, , third = Number.POSITIVE_INFINITY] = sizes;
  // An hour of events waits for the next pruning.
  expect(third / first).toBeLessThan(1.5);
  expect(first).toBeGreaterThan(24 * perHour * 2_000);
  expect(receiver.arrivals).toHaveLength(72 * perHour);
});
