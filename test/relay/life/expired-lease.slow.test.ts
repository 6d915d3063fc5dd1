import { expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useRow } from './row.ts';

const row = useRow();

it('a process whose lease expired does not attempt again what it still attempts', async () => {
  await row.put();
  await row.put({ target_url: `${row.actor.url}/2`, events: ['coupon.redeemed'] });
  await row.running.deliver({ id: 'running', type: 'campaign.paid', data: {} });
  const respond = await row.attempt(200);
  await row.running.query(
    "UPDATE lease SET leased_until = clock_timestamp() - interval '1 second'",
  );
  await row.running.deliver({ id: 'other', type: 'coupon.redeemed', data: {} });
  await eventually(() => row.arrived().includes('other'), 'another subscription was claimed');
  await respond();
  expect(row.arrived()).toEqual(['running', 'other']);
});
