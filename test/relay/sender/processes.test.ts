import { describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { nextDue } from '../../../packages/relay/src/database/next-due.ts';
import { Leases, type Vacancy } from '../../../packages/relay/src/sender/leases.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { start } from '../support/running-relay.ts';

const type = 'campaign.paid';

const vacant = (free: number, freeForSlow = free): Vacancy => ({
  free,
  freeForSlow,
  slow: [],
  heldByToken: new Map(),
});

describe('processes on one database', () => {
  it('store on one and deliver from the other, each event once', async () => {
    const receivers = await Promise.all([1, 2, 3].map(() => startReceiver()));
    const ingress = await start({ role: 'ingress' });
    const sender = await start({ role: 'sender', databaseUrl: ingress.databaseUrl });
    const second = await start({ databaseUrl: ingress.databaseUrl });
    for (const { url } of receivers) {
      await ingress.call('PUT', '/subscriptions', { target_url: url, events: [type] });
    }
    await Promise.all(
      Array.from({ length: 40 }, (_, id) => ingress.deliver({ id: String(id), type })),
    );
    await Promise.all([sender, second].map(({ relay }) => relay.clock.advance(1)));
    // One of them ran into leases that the other held.
    await sender.relay.clock.advance(1);
    await second.relay.clock.advance(1);
    expect((await sender.deliver({ id: 'x', type })).status).toBe(404);
    for (const { arrivals } of receivers) {
      expect(new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size).toBe(40);
      expect(arrivals).toHaveLength(40);
    }
  });

  it('hold a lease one at a time, until its owner releases it', async () => {
    const receiver = await startReceiver();
    const running = await start({ role: 'ingress' });
    await running.call('PUT', '/subscriptions', { target_url: receiver.url, events: [type] });
    await running.deliver({ id: '1', type });
    const pool = new Pool({ connectionString: running.databaseUrl });
    try {
      const [one, two] = [new Leases(pool), new Leases(pool)];
      const now = running.relay.clock.now();
      const both = await Promise.all([one.claim(now, vacant(5)), two.claim(now, vacant(5))]);
      const claimed = both.flatMap(({ leases }) => leases);
      const [lease] = claimed;
      expect(claimed).toHaveLength(1);
      const [owner, other] = both[0].leases.length === 1 ? [one, two] : [two, one];
      expect(lease && owner.isHeld(lease)).toBe(true);
      await other.release(lease?.subscription ?? 0, 0, null);
      expect(await other.claim(now, vacant(5))).toMatchObject({ leases: [] });
      await owner.release(lease?.subscription ?? 0, 0, new Date(now + 1000));
      const later = { leases: [], hasMore: false, nextAt: now + 1000 };
      expect(await other.claim(now, vacant(5))).toEqual(later);
      expect(await nextDue(pool)).toBe(now + 1000);
      expect((await other.claim(now + 1000, vacant(5, 0))).leases).toHaveLength(1);
    } finally {
      await pool.end();
    }
  });

  it('renew the leases that they work on, but none that they failed to release', async () => {
    const receivers = await Promise.all([1, 2].map(() => startReceiver()));
    const running = await start({ role: 'ingress' });
    for (const { url } of receivers) {
      await running.call('PUT', '/subscriptions', { target_url: url, events: [type] });
    }
    await running.deliver({ id: '1', type });
    const pool = new Pool({ connectionString: running.databaseUrl });
    try {
      const leases = new Leases(pool);
      const now = running.relay.clock.now();
      const [renewed, dropped] = (await leases.claim(now, vacant(2, 0))).leases;
      if (!renewed || !dropped) throw new Error('Two subscriptions have something due.');
      const leasedUntil = async () => {
        const { rows } = await pool.query('SELECT subscription_number, leased_until FROM lease');
        return new Map(rows.map((row) => [row.subscription_number, row.leased_until.getTime()]));
      };
      const before = await leasedUntil();
      await leases.renew([renewed]);
      const after = await leasedUntil();
      expect(after.get(renewed.subscription)).toBeGreaterThan(
        before.get(renewed.subscription) ?? 0,
      );
      expect(after.get(dropped.subscription)).toBe(before.get(dropped.subscription));
      // Subscriptions that another process has taken over are not held, however long the other leases last.
      const expired = { ...renewed, leasedUntil: 0 };
      expect(leases.isHeld(expired)).toBe(true);
      expect(leases.isHeld({ ...dropped, leasedUntil: 0 })).toBe(false);
    } finally {
      await pool.end();
    }
  });
});
