import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

/** A subscription that this process delivers to now, and no other does. */
export interface Lane {
  readonly source: number;
  readonly subscription: number;
  readonly token: number;
  readonly targetUrl: string;
  readonly failingSince: Date | null;
  readonly failuresInARow: number;
  /** Of this process's own time, in milliseconds. */
  readonly leasedUntil: number;
}

/** After a crash others take its lanes over so long after its last sign of life. */
const leaseSeconds = 15;

const claim = `
WITH due AS (
  SELECT lane.subscription_number FROM lane
  JOIN subscription ON subscription.number = lane.subscription_number
  WHERE subscription.state = 'active' AND subscription.deleted_at IS NULL
    AND (lane.leased_until IS NULL OR lane.leased_until < clock_timestamp())
    AND (lane.paused_until IS NULL OR lane.paused_until <= $2)
    AND EXISTS (
      SELECT FROM delivery
      WHERE delivery.subscription_number = lane.subscription_number
        AND delivery.state = 'pending' AND delivery.next_at <= $2
    )
    AND (lane.failures_in_a_row = 0 OR $5)
  ORDER BY lane.served_at NULLS FIRST
  LIMIT $3
  FOR UPDATE OF lane SKIP LOCKED
)
UPDATE lane
SET owner = $1, leased_until = clock_timestamp() + make_interval(secs => $4), served_at = $2
FROM due, subscription
WHERE lane.subscription_number = due.subscription_number
  AND subscription.number = due.subscription_number
RETURNING subscription.source_number AS "source", subscription.number AS "subscription",
  subscription.token_number AS "token", subscription.target_url AS "targetUrl",
  subscription.failing_since AS "failingSince", lane.failures_in_a_row AS "failuresInARow"`;

const release = `
UPDATE lane SET owner = NULL, leased_until = NULL, failures_in_a_row = $3, paused_until = $4
WHERE subscription_number = $2 AND owner = $1`;

const next = `
SELECT min(greatest(due.next_at, lane.paused_until)) AS at
FROM lane
JOIN subscription ON subscription.number = lane.subscription_number
CROSS JOIN LATERAL (
  SELECT next_at FROM delivery
  WHERE delivery.subscription_number = lane.subscription_number AND delivery.state = 'pending'
  ORDER BY next_at LIMIT 1
) AS due
WHERE subscription.state = 'active' AND subscription.deleted_at IS NULL`;

/**
 * Leases: each subscription has one sender at a time among all processes. They run in the time of the
 * database, since the clocks of machines differ.
 */
export class Lanes {
  readonly #pool: Pool;
  readonly #owner = randomUUID();
  /** Of this process's own time, by subscription. */
  readonly #keptUntil = new Map<number, number>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Takes lanes with something due, those that waited longest first. */
  async claim(now: number, most: number, withFailing: boolean): Promise<Lane[]> {
    const askedAt = performance.now();
    const { rows } = await this.#pool.query<Omit<Lane, 'leasedUntil'>>({
      name: 'claim-lanes',
      text: claim,
      values: [this.#owner, new Date(now), most, leaseSeconds, withFailing],
    });
    return rows.map((lane) => ({ ...lane, leasedUntil: askedAt + leaseSeconds * 1000 }));
  }

  /** Extends the leases of these lanes, as far as they are this process's still. */
  async keep(lanes: readonly Lane[]): Promise<void> {
    const askedAt = performance.now();
    const { rows } = await this.#pool.query<{ subscription: number }>(
      `UPDATE lane SET leased_until = clock_timestamp() + make_interval(secs => $2)
      WHERE owner = $1 AND subscription_number = ANY ($3::integer[])
      RETURNING subscription_number AS "subscription"`,
      [this.#owner, leaseSeconds, lanes.map(({ subscription }) => subscription)],
    );
    for (const { subscription } of rows) {
      this.#keptUntil.set(subscription, askedAt + leaseSeconds * 1000);
    }
  }

  /** Whether the lane is this process's still, as far as it can know without the database. */
  isHeld({ subscription, leasedUntil }: Lane): boolean {
    return performance.now() < Math.max(leasedUntil, this.#keptUntil.get(subscription) ?? 0);
  }

  async release(
    subscription: number,
    failuresInARow: number,
    pausedUntil: Date | null,
  ): Promise<void> {
    await this.#pool.query(release, [this.#owner, subscription, failuresInARow, pausedUntil]);
  }

  /** When the next delivery is due, in milliseconds since 1970; undefined when none waits. */
  async nextDue(): Promise<number | undefined> {
    const { rows } = await this.#pool.query<{ at: Date | null }>(next);
    return rows[0]?.at?.getTime();
  }
}
