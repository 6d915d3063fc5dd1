import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { asColumns, Batches } from '../log/database/batches.ts';
import { isActive } from '../log/database/reading-subscriptions.ts';
import { retryConflict } from '../log/database/retry-conflict.ts';
import type { SealedSecrets } from '../log/secrets/open-secrets.ts';
import { claimStatement } from './claim-statement.ts';

/** A subscription that this process alone delivers to at the moment. */
export interface Lease extends SealedSecrets {
  readonly source: number;
  readonly subscription: number;
  /** What this sender learns counts only for it. */
  readonly generation: number;
  readonly targetUrl: string;
  readonly failingSince: Date | null;
  readonly failedAt: Date | null;
  readonly failuresInARow: number;
  readonly maxConcurrency: number;
  /** What the claim found to do. */
  readonly isBehind: boolean;
  readonly hasRetry: boolean;
  readonly hasJob: boolean;
  /** In milliseconds of this process's monotonic clock. */
  readonly leasedUntil: number;
}

/** What a claim found. */
interface Claimed {
  readonly leases: readonly Lease[];
  /** When the next delivery is due, in milliseconds since 1970. */
  readonly nextAt: number | undefined;
}

/** How long after the last sign of life other processes take over a crashed process's subscriptions. */
const leaseSeconds = 15;

/** What failed before the subscription was subscribed again does not count. */
const isSame = 'lease.generation = one.generation';
const release = `
UPDATE lease SET owner = NULL, leased_until = NULL,
  failures_in_a_row = CASE WHEN ${isSame} THEN one.failures ELSE lease.failures_in_a_row END,
  failing_since = CASE WHEN ${isSame} THEN one.failing_since ELSE lease.failing_since END,
  failed_at = CASE WHEN ${isSame} THEN one.failed_at ELSE lease.failed_at END,
  paused_until = CASE WHEN ${isSame} THEN one.paused_until END
FROM unnest($2::integer[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[],
  $7::timestamptz[]) AS one (subscription, generation, failures, failing_since, failed_at, paused_until)
WHERE lease.subscription_number = one.subscription AND lease.owner = $1`;

/**
 * A row that is locked is about to be released or subscribed again, so its lease is left. To wait for
 * it could end in a deadlock with the release of several, which PostgreSQL ends after a second.
 */
const renew = `
WITH held AS (
  SELECT lease.subscription_number, subscription.generation, subscription.max_concurrency
  FROM lease
  JOIN subscription ON subscription.number = lease.subscription_number AND ${isActive}
  JOIN token ON token.number = subscription.token_number AND token.revoked_at IS NULL
  WHERE lease.owner = $1 AND lease.subscription_number = ANY ($3::integer[])
  FOR UPDATE OF lease SKIP LOCKED
)
UPDATE lease SET leased_until = clock_timestamp() + make_interval(secs => $2)
FROM held WHERE lease.subscription_number = held.subscription_number
RETURNING held.subscription_number AS "subscription", held.generation,
  held.max_concurrency AS "maxConcurrency"`;

const maxReleases = 500;

type ClaimRow = { readonly nextAt: Date | null } & (
  | Omit<Lease, 'leasedUntil'>
  | { readonly subscription: null }
);

type Renewed = Pick<Lease, 'subscription' | 'generation' | 'maxConcurrency'>;

/** What the next sender of the subscription must know. */
export interface Left {
  readonly failuresInARow: number;
  readonly failingSince: Date | null;
  readonly failedAt: Date | null;
  /** Since its subscriber fails. */
  readonly pausedUntil: Date | null;
}

/**
 * Leases: at any time, each subscription has one sender among all processes. Leases run on the
 * database's clock, since the clocks of machines differ.
 */
export class Leases {
  /** Of this process's leases. */
  readonly owner: string = randomUUID();
  readonly #pool: Pool;
  /** By subscription, since the last renewal, on this process's monotonic clock. */
  readonly #heldUntil = new Map<number, number>();
  readonly #releases = new Batches<readonly unknown[], void>(
    async (releases) => {
      const values = [this.owner, ...asColumns(releases)];
      // A lease that is not released stays for 15 s, and its deliveries wait.
      await retryConflict(() => this.#pool.query(release, values));
      return [];
    },
    { most: maxReleases },
  );

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Claims up to `most` subscriptions with due deliveries, other than those it holds. */
  async claim(now: number, held: readonly Lease[], most: number): Promise<Claimed> {
    const startedAt = performance.now();
    const { rows } = await this.#pool.query<ClaimRow>({
      name: 'claim-leases',
      text: claimStatement,
      values: [
        this.owner,
        new Date(now),
        most,
        leaseSeconds,
        held.map(({ subscription }) => subscription),
      ],
    });
    const leasedUntil = startedAt + leaseSeconds * 1000;
    const leases = rows.flatMap((row) =>
      row.subscription === null ? [] : { ...row, leasedUntil },
    );
    // A renewal from before it was claimed again may have found it lost.
    for (const { subscription } of leases) this.#heldUntil.delete(subscription);
    return { leases, nextAt: rows[0]?.nextAt?.getTime() };
  }

  /**
   * Extends those leases that this process still owns, and whose subscriptions still get events. It
   * leaves those that were subscribed again, or whose limit changed, and claims them again.
   */
  async renew(leases: readonly Lease[]): Promise<void> {
    const startedAt = performance.now();
    const values = [this.owner, leaseSeconds, leases.map(({ subscription }) => subscription)];
    const { rows } = await retryConflict(() => this.#pool.query<Renewed>(renew, values));
    const renewed = new Map(rows.map((row) => [row.subscription, row]));
    for (const { subscription, generation, maxConcurrency } of leases) {
      const now = renewed.get(subscription);
      const isSame = now?.generation === generation && now.maxConcurrency === maxConcurrency;
      const until = isSame ? startedAt + leaseSeconds * 1000 : startedAt;
      this.#heldUntil.set(subscription, until);
    }
  }

  /** Whether this process still owns the lease, as far as it knows without asking the database. */
  isHeld({ subscription, leasedUntil }: Lease): boolean {
    return performance.now() < (this.#heldUntil.get(subscription) ?? leasedUntil);
  }

  release({ subscription, generation }: Lease, left: Left): Promise<void> {
    this.#heldUntil.delete(subscription);
    const { failuresInARow, failingSince, failedAt, pausedUntil } = left;
    const times = [failingSince, failedAt, pausedUntil];
    return this.#releases.add([subscription, generation, failuresInARow, ...times]);
  }
}
