import { describe, expect, it } from '@jest/globals';
import { rawResponse } from '../support/actor.ts';
import { useRow } from './row.ts';

const b = 'coupon.redeemed';
const minute = 60_000;
const day = 24 * 60 * minute;

const row = useRow();

describe('a subscription that was deleted', () => {
  it('continues where it stopped within ten minutes', async () => {
    row.actor.answers.push(rawResponse(500));
    const { id } = await row.put();
    await row.deliver('failed');
    await row.end(id);
    await row.deliver('between');
    await row.running.relay.clock.advance(10 * minute - 2);
    expect(row.arrived()).toEqual(['failed']);
    const again = await row.put();
    expect(again).not.toHaveProperty('skipped');
    expect(row.arrived().slice(1).sort()).toEqual(['between', 'failed']);
    await row.put();
    expect(row.arrived()).toHaveLength(3);
  });

  it('skips what arrived meanwhile after that, says so, and catches up', async () => {
    row.actor.answers.push(rawResponse(500));
    const { id } = await row.put();
    await row.deliver('failed');
    await row.end(id);
    const from = new Date(row.running.relay.clock.now()).toISOString();
    await row.deliver('between');
    await row.deliver('other', b);
    await row.running.relay.clock.advance(11 * minute);
    // The maintenance looks again.
    await row.running.relay.clock.advance(0);
    const { data } = (await row.running.call('GET', '/deliveries')).body;
    expect(data).toMatchObject([{ state: 'dead', reason: 'unsubscribed' }]);
    expect(await row.put()).toMatchObject({ skipped: { from, count: 1 } });
    await row.deliver('later');
    expect(await row.put()).toMatchObject({ skipped: { from, count: 1 } });
    expect(row.arrived()).toEqual(['failed', 'later']);
    expect(await row.put({ catch_up: true })).not.toHaveProperty('skipped');
    expect(row.arrived().slice(2).sort()).toEqual(['between', 'failed']);
    await row.put({ catch_up: true });
    expect(row.arrived()).toHaveLength(4);
  });

  it('and that catches up at once skips nothing', async () => {
    const { id } = await row.put();
    await row.end(id);
    await row.deliver('between');
    await row.running.relay.clock.advance(60 * minute);
    expect(await row.put({ catch_up: true })).not.toHaveProperty('skipped');
    expect(row.arrived()).toEqual(['between']);
  });

  it('is pruned after the retention, with what belongs to it, and is then a new one', async () => {
    const { id } = await row.put();
    await row.put({ target_url: `${row.actor.url}/2`, replaces: id });
    await row.end(id);
    await row.running.relay.clock.advance(29 * day);
    await row.running.relay.clock.advance(1);
    expect((await row.end(id)).status).toBe(204);
    await row.running.relay.clock.advance(2 * day);
    await row.running.relay.clock.advance(1);
    expect((await row.end(id)).status).toBe(404);
    const { id: next } = await row.put();
    expect(next).toMatch(/_1$/);
    expect(next.slice(0, 36)).not.toBe(id.slice(0, 36));
  });
});

it('a first request with catch_up delivers nothing from before it', async () => {
  await row.deliver('before');
  await row.put({ catch_up: true });
  expect(row.arrived()).toEqual([]);
});

it('a request with catch_up false skips what waits now', async () => {
  row.actor.answers.push(rawResponse(500));
  const { id } = await row.put();
  await row.deliver('failed');
  await row.running.relay.operate('subscriptions.change', { id, state: 'off' });
  await row.deliver('waiting');
  await row.put({ catch_up: false });
  await row.running.relay.clock.advance(60 * minute);
  await row.deliver('later');
  expect(row.arrived()).toEqual(['failed', 'later']);
});

it.each(['by_hand', 'gone'] as const)(
  'what an operator or the relay stopped (%s) continues, however late',
  async (why) => {
    const { id } = await row.put();
    if (why === 'gone') {
      row.actor.answers.push(rawResponse(410));
      await row.deliver('gone');
    } else {
      await row.running.relay.operate('subscriptions.change', { id, state: 'off' });
    }
    await row.deliver('between');
    expect(await row.get(id)).toMatchObject({ state: 'off', off_reason: why });
    await row.running.relay.clock.advance(24 * 60 * minute);
    await row.put();
    expect(row.arrived().at(-1)).toBe('between');
  },
);
