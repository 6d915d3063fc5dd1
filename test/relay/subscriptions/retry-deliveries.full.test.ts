import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const type = 'campaign.paid';

/** A relay with three deliveries whose next attempt is due in 5 s. */
async function prepared() {
  const receiver = await startReceiver([500, 500, 500]);
  const running = await start();
  const put = { target_url: receiver.url, events: [type] };
  const { body } = await running.call('PUT', '/subscriptions', put);
  for (const id of ['1', '2', '3']) {
    await running.deliver({ id, type, data: {} });
    await running.relay.clock.advance(0);
  }
  const pending = async () => (await running.call('GET', '/deliveries?state=pending')).body.data;
  return { ...running, receiver, id: body.id as string, pending };
}

describe('pending deliveries', () => {
  it('are retried now when they are named, and others wait', async () => {
    const { call, relay, pending } = await prepared();
    const [third, second] = await pending();
    const { status, body } = await call('POST', '/deliveries/retry', {
      ids: [third.id, second.id, third.id],
    });
    expect([status, body]).toEqual([202, { retried: 2, has_more: false }]);
    await relay.clock.advance(0);
    expect(await pending()).toHaveLength(1);
    const again = await call('POST', '/deliveries/retry', { ids: [third.id, second.id] });
    expect(again.body).toEqual({ retried: 0, has_more: false });
  });

  it('of another source are not touched', async () => {
    const { call, relay, pending } = await prepared();
    await relay.sources.add('other', 'another-secret');
    const { token } = await relay.tokens.create('other', 'x');
    const ids = (await pending()).map(({ id }: { id: string }) => id);
    const { body } = await call('POST', '/deliveries/retry', { ids }, token);
    expect(body).toEqual({ retried: 0, has_more: false });
    await relay.clock.advance(0);
    expect(await pending()).toHaveLength(3);
  });

  it('are all retried for a subscription, and keep their place in the retry schedule', async () => {
    const { call, relay, id, receiver, pending } = await prepared();
    receiver.answers.push(500);
    const { status, body } = await call('POST', `/subscriptions/${id}/retry`);
    expect([status, body]).toEqual([202, { retried: 3, has_more: false }]);
    await relay.clock.advance(0);
    const [left, ...others] = await pending();
    expect(others).toEqual([]);
    // Half a minute after the second attempt, not five seconds.
    expect(left).toMatchObject({ next_attempt_at: '2027-03-01T09:00:30.000Z' });
  });

  it('beyond a batch are retried in the background', async () => {
    const { call, relay, id, databaseUrl, pending } = await prepared();
    const later = "'2027-03-02T00:00:00Z'";
    await onDatabase(databaseUrl, async (client) => {
      await storeEvents(client, { count: 2_500, type, state: 'pending' });
      await client.query(`UPDATE delivery SET next_at = ${later}`);
    });
    const { body } = await call('POST', `/subscriptions/${id}/retry`);
    expect(body).toEqual({ retried: 2_000, has_more: true });
    await relay.clock.advance(0);
    await onDatabase(databaseUrl, async (client) => {
      const { rowCount } = await client.query(`SELECT FROM delivery WHERE next_at = ${later}`);
      expect(rowCount).toBe(0);
    });
    expect(await pending()).toEqual([]);
  });
});
