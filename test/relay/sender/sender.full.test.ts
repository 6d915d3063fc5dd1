import { expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { onDatabase } from '../support/database.ts';
import { start } from '../support/running-relay.ts';

it('keeps its leases while it stops, as long as an attempt is under way', async () => {
  const receiver = await startReceiver(['hang']);
  const running = await start({ deliveryTimeoutMs: 9_000 });
  await running.call('PUT', '/subscriptions', {
    target_url: receiver.url,
    events: ['campaign.paid'],
  });
  await running.deliver({ id: '1', type: 'campaign.paid' });
  const advanced = running.relay.clock.advance(0);
  await eventually(() => receiver.arrivals.length === 1);
  const stopped = running.relay.close();
  await onDatabase(running.databaseUrl, async (client) => {
    const leasedUntil = async (): Promise<number> => {
      const { rows } = await client.query('SELECT leased_until FROM lease');
      return rows[0].leased_until?.getTime() ?? 0;
    };
    const before = await leasedUntil();
    await eventually(async () => (await leasedUntil()) > before);
    expect(before).toBeGreaterThan(0);
  });
  await Promise.all([advanced, stopped]);
});
