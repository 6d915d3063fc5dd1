import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';

// No interval ever passes, so nothing is found by polling.
beforeEach(() => {
  jest.spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => undefined).unref());
});

/** Fires events one after the other, each once the one before has been delivered. */
async function deliveredOneByOne(arrival: Running): Promise<number> {
  const { url: target_url, arrivals } = await startReceiver();
  await arrival.call('PUT', '/subscriptions', { target_url, events: [type] });
  for (const nth of [1, 2, 3, 4, 5]) {
    await arrival.deliver({ id: `evt_${nth}`, type });
    await eventually(() => arrivals.length === nth, `event ${nth} was delivered`);
  }
  return arrivals.length;
}

describe('an event is delivered at once, without a poll,', () => {
  it('by the process that it arrived at', async () => {
    expect(await deliveredOneByOne(await start({ clock: 'running' }))).toBe(5);
  });

  it('by another process', async () => {
    const arrival = await start({ clock: 'running', role: 'ingress' });
    await start({ clock: 'running', role: 'sender', databaseUrl: arrival.databaseUrl });
    expect(await deliveredOneByOne(arrival)).toBe(5);
  });

  it('to a subscription that is turned on again', async () => {
    const { call, deliver } = await start({ clock: 'running' });
    const { url: target_url, arrivals } = await startReceiver();
    const put = () => call('PUT', '/subscriptions', { target_url, events: [type] });
    const { body } = await put();
    await call('DELETE', `/subscriptions/${body.id}`);
    await deliver({ id: 'evt_1', type });
    await put();
    await eventually(() => arrivals.length === 1, 'the event was delivered');
    expect(arrivals).toHaveLength(1);
  });
});
