import { describe, expect, it } from '@jest/globals';
import type { RelayOptions } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';
const events = 100;

/** Time stands still, so that no retry is due yet. */
async function withEvents(url: string, options: RelayOptions = {}): Promise<Running> {
  const running = await start(options);
  await running.call('PUT', '/subscriptions', { target_url: url, events: [type] });
  for (let id = 0; id < events; id += 1) await running.deliver({ id: String(id), type });
  return running;
}

async function countOf(running: Running, state: 'delivered' | 'pending'): Promise<number> {
  const { data } = await running.relay.deliveries.list({ state, limit: 200 });
  return data.length;
}

describe('a subscriber', () => {
  it('that fails half of its attempts, often four in a row, gets the rest without a pause', async () => {
    const pattern = [500, 500, 500, 500, 200, 200, 200, 200];
    const receiver = await startReceiver(Array(events).fill(pattern).flat());
    const running = await withEvents(receiver.url);
    await running.relay.clock.advance(1);
    expect(receiver.arrivals.length).toBe(events);
    expect(await countOf(running, 'delivered')).toBeGreaterThanOrEqual(events * 0.48);
    await running.relay.clock.advance(5_000);
    expect(receiver.arrivals.length).toBeGreaterThanOrEqual(events * 1.48);
    expect(await countOf(running, 'delivered')).toBeGreaterThanOrEqual(events * 0.7);
  });

  it.each([
    ['responds with errors', 500, 10],
    ['hangs', 'hang', 3],
  ] as const)('that only %s gets one attempt after each pause', async (_, answer, first) => {
    const receiver = await startReceiver(Array(1_000).fill(answer));
    const hanging = answer === 'hang' ? { deliveryTimeoutMs: 100 } : {};
    const running = await withEvents(receiver.url, hanging);
    await running.relay.clock.advance(1);
    expect(receiver.arrivals.length).toBe(first);
    // Pauses of 5, 10, 20, 40 and 60 s.
    await running.relay.clock.advance(140_000);
    expect(receiver.arrivals.length).toBe(first + 5);
    expect(await countOf(running, 'pending')).toBe(events);
  });
});
