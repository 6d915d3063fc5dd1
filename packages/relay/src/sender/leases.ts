import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { Batches, columnsOf } from '../database/batches.ts';
import type { SealedSecrets } from '../secrets/open-secrets.ts';

/** A subscription that this process alone delivers to at the moment. */
export interface Lease extends SealedSecrets {
  readonly source: number;
  readonly subscription: number;
  readonly targetUrl: string;
  readonly failingSince: Date | null;
  readonly failuresInARow: number;
  /** In milliseconds of this process's monotonic clock. */
  readonly leasedUntil: number;
}

/** How long after the last sign of life other processes take over a crashed process's subscriptions. */
const leaseSeconds = 15;

/** Subscriptions with due deliveries and no sender, longest wait first. */
const dueLeases = (which: string, most: string) => `
  SELECT lease.subscription_number FROM lease
  JOIN subscription ON subscription.number = lease.subscription_number
  WHERE subscription.state = 'active' AND subscription.deleted_at IS NULL
    AND (lease.leased_until IS NULL OR lease.leased_until < clock_timestamp())
    AND (lease.paused_until IS NULL OR lease.paused_until <= $2)
    AND EXISTS (
      SELECT FROM delivery
      WHERE delivery.subscription_number = lease.subscription_number
        AND delivery.state = 'pending' AND delivery.next_at <= $2
    )
    AND ${which}
  ORDER BY lease.served_at NULLS FIRST
  LIMIT ${most}
  FOR UPDATE OF lease SKIP LOCKED`;

const claim = `
WITH healthy AS (${dueLeases('lease.failures_in_a_row = 0', '$3::integer')}),
failing AS (${dueLeases(
  'lease.failures_in_a_row > 0',
  'least($5::integer, $3::integer - (SELECT count(*)::integer FROM healthy))',
)}),
due AS (SELECT * FROM healthy UNION ALL SELECT * FROM failing)
UPDATE lease
SET owner = $1, leased_until = clock_timestamp() + make_interval(secs => $4), served_at = $2
FROM due
JOIN subscription ON subscription.number = due.subscription_number
JOIN token ON token.number = subscription.token_number
WHERE lease.subscription_number = due.subscription_number
RETURNING subscription.source_number AS "source", subscription.number AS "subscription",
  subscription.target_url AS "targetUrl", subscription.failing_since AS "failingSince",
  lease.failures_in_a_row AS "failuresInARow",
  token.secret, token.previous_secret, token.previous_until`;

const release = `
UPDATE lease SET owner = NULL, leased_until = NULL,
  failures_in_a_row = one.failures_in_a_row, paused_until = one.paused_until
FROM unnest($2::integer[], $3::integer[], $4::timestamptz[])
  AS one (subscription_number, failures_in_a_row, paused_until)
WHERE lease.subscription_number = one.subscription_number AND lease.owner = $1`;

const mostReleases = 500;

type Release = readonly [subscription: number, failuresInARow: number, pausedUntil: Date | null];

/**
 * Leases: at any time, each subscription has one sender among all processes. Leases run on the
 * database's clock, since the clocks of machines differ.
 */
export class Leases {
  readonly #pool: Pool;
  readonly #owner = randomUUID();
  /** By subscription, on this process's monotonic clock. */
  readonly #renewedUntil = new Map<number, number>();

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

  /** Claims subscriptions with due deliveries, and limits how many failing ones are among them. */
  async claim(now: number, most: number, mostFailing: number): Promise<Lease[]> {
    const startedAt = performance.now();
    const { rows } = await this.#pool.query<Omit<Lease, 'leasedUntil'>>({
      name: 'claim-leases',
      text: claim,
      values: [this.#owner, new Date(now), most, leaseSeconds, mostFailing],
    });
    return rows.map((lease) => ({ ...lease, leasedUntil: startedAt + leaseSeconds * 1000 }));
  }

  /** Extends those leases that this process still owns. */
  async renew(leases: readonly Lease[]): Promise<void> {
    const startedAt = performance.now();
    const { rows } = await this.#pool.query<{ subscription: number }>(
      `UPDATE lease SET leased_until = clock_timestamp() + make_interval(secs => $2)
      WHERE owner = $1 AND subscription_number = ANY ($3::integer[])
      RETURNING subscription_number AS "subscription"`,
      [this.#owner, leaseSeconds, leases.map(({ subscription }) => subscription)],
    );
    for (const { subscription } of rows) {
      this.#renewedUntil.set(subscription, startedAt + leaseSeconds * 1000);
    }
  }

  /** Whether this process still owns the lease, as far as it knows without asking the database. */
  isHeld({ subscription, leasedUntil }: Lease): boolean {
    return performance.now() < Math.max(leasedUntil, this.#renewedUntil.get(subscription) ?? 0);
  }

  release(...one: Release): Promise<void> {
    this.#renewedUntil.delete(one[0]);
    return this.#releases.add(one);
  }
}
