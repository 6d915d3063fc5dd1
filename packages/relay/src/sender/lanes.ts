import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { Batches, columnsOf } from '../database/batches.ts';
import type { SealedSecrets } from '../secrets/open-secrets.ts';

/** A subscription that this process alone delivers to at the moment. */
export interface Lane extends SealedSecrets {
  readonly source: number;
  readonly subscription: number;
  readonly targetUrl: string;
  readonly failingSince: Date | null;
  readonly failuresInARow: number;
  /** In milliseconds of this process's monotonic clock. */
  readonly leasedUntil: number;
}

/** How long after the last sign of life other processes take over a crashed process's lanes. */
const leaseSeconds = 15;

/** Lanes with due deliveries and no owner, longest wait first. */
const dueLanes = (which: string, most: string) => `
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
    AND ${which}
  ORDER BY lane.served_at NULLS FIRST
  LIMIT ${most}
  FOR UPDATE OF lane SKIP LOCKED`;

const claim = `
WITH healthy AS (${dueLanes('lane.failures_in_a_row = 0', '$3::integer')}),
failing AS (${dueLanes(
  'lane.failures_in_a_row > 0',
  'least($5::integer, $3::integer - (SELECT count(*)::integer FROM healthy))',
)}),
due AS (SELECT * FROM healthy UNION ALL SELECT * FROM failing)
UPDATE lane
SET owner = $1, leased_until = clock_timestamp() + make_interval(secs => $4), served_at = $2
FROM due
JOIN subscription ON subscription.number = due.subscription_number
JOIN token ON token.number = subscription.token_number
WHERE lane.subscription_number = due.subscription_number
RETURNING subscription.source_number AS "source", subscription.number AS "subscription",
  subscription.target_url AS "targetUrl", subscription.failing_since AS "failingSince",
  lane.failures_in_a_row AS "failuresInARow",
  token.secret, token.previous_secret, token.previous_until`;

const release = `
UPDATE lane SET owner = NULL, leased_until = NULL,
  failures_in_a_row = one.failures_in_a_row, paused_until = one.paused_until
FROM unnest($2::integer[], $3::integer[], $4::timestamptz[])
  AS one (subscription_number, failures_in_a_row, paused_until)
WHERE lane.subscription_number = one.subscription_number AND lane.owner = $1`;

const mostReleases = 500;

type Release = readonly [subscription: number, failuresInARow: number, pausedUntil: Date | null];

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
 * Leases: at any time, each subscription has one sender among all processes. Leases run on the
 * database's clock, since the clocks of machines differ.
 */
export class Lanes {
  readonly #pool: Pool;
  readonly #owner = randomUUID();
  /** By subscription, on this process's monotonic clock. */
  readonly #keptUntil = new Map<number, number>();

  readonly #releases = new Batches<Release, void>(
    async (releases) => {
      await this.#pool.query(release, [this.#owner, ...columnsOf(releases)]);
      return [];
    },
    { most: mostReleases },
  );

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Claims lanes with due deliveries, and limits how many of them have failing subscribers. */
  async claim(now: number, most: number, mostFailing: number): Promise<Lane[]> {
    const askedAt = performance.now();
    const { rows } = await this.#pool.query<Omit<Lane, 'leasedUntil'>>({
      name: 'claim-lanes',
      text: claim,
      values: [this.#owner, new Date(now), most, leaseSeconds, mostFailing],
    });
    return rows.map((lane) => ({ ...lane, leasedUntil: askedAt + leaseSeconds * 1000 }));
  }

  /** Extends the leases of those lanes that this process still owns. */
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

  /** Whether this process still owns the lane, as far as it knows without asking the database. */
  isHeld({ subscription, leasedUntil }: Lane): boolean {
    return performance.now() < Math.max(leasedUntil, this.#keptUntil.get(subscription) ?? 0);
  }

  release(...one: Release): Promise<void> {
    return this.#releases.add(one);
  }

  /** When the next delivery is due, in milliseconds since 1970; undefined if none is pending. */
  async nextDue(): Promise<number | undefined> {
    const { rows } = await this.#pool.query<{ at: Date | null }>(next);
    return rows[0]?.at?.getTime();
  }
}
