import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { CoalescedTask } from '../base/coalesced-task.ts';
import {
  BatchedStatement,
  preparedStatement,
  retryOnConflict,
  rowsToColumns,
} from '../base/statements.ts';
import type { RelayContext } from '../log/context.ts';
import { sqlIsActive, sqlReadingTables } from '../log/wants.ts';
import { type AttemptTools, attemptDueDeliveries, type LeftForNextSender } from './attempt.ts';
import { DueDeliveryReaders, type LeasedSubscription } from './read.ts';
import { ResultWriter } from './record.ts';

/** How long after the last sign of life other processes take over a crashed process's subscriptions. */
const leaseSeconds = 15;

/**
 * Leases subscriptions with something to do, those first that were served longest ago: those to which
 * no process delivers, this one included once its lease expired, and that do not pause. A claim costs
 * a look at each subscription with retries, and at each kind of subscription.
 */
const claim = preparedStatement<{
  owner: string;
  now: Date;
  held: readonly number[];
  most: number;
}>(
  'claim-leases',
  `
${sqlReadingTables}, found AS (
  SELECT subscription_number, next_at, false AS is_behind, next_at <= :now AS has_retry, false AS has_job
  FROM retrying
  UNION ALL
  SELECT subscription.number, :now, true, false, false FROM newest
  JOIN subscription ON ${sqlIsActive} AND subscription.source_number = newest.source_number
    AND subscription.events = newest.events AND subscription.position < newest.position
  UNION ALL
  SELECT subscription_number, :now, false, false, true FROM job
), candidate AS MATERIALIZED (
  SELECT subscription_number, greatest(min(next_at), min(lease.paused_until)) AS at,
    bool_or(is_behind) AS is_behind, bool_or(has_retry) AS has_retry, bool_or(has_job) AS has_job
  FROM found JOIN lease USING (subscription_number) GROUP BY subscription_number
), chosen AS (
  SELECT lease.subscription_number, is_behind, has_retry, has_job
  FROM candidate
  JOIN lease ON lease.subscription_number = candidate.subscription_number
  JOIN subscription ON subscription.number = candidate.subscription_number
  JOIN token ON token.number = subscription.token_number
  WHERE at <= :now AND ${sqlIsActive} AND token.revoked_at IS NULL
    AND (lease.leased_until >= clock_timestamp()) IS NOT TRUE
    AND lease.subscription_number <> ALL (:held::integer[])
    AND (lease.paused_until IS NULL OR lease.paused_until <= :now)
  ORDER BY lease.served_at NULLS FIRST
  LIMIT :most
  FOR UPDATE OF lease SKIP LOCKED
), claimed AS (
  UPDATE lease
  SET owner = :owner, served_at = :now,
    leased_until = clock_timestamp() + interval '${leaseSeconds} seconds'
  FROM chosen
  JOIN subscription ON subscription.number = chosen.subscription_number
  JOIN token ON token.number = subscription.token_number
  WHERE lease.subscription_number = chosen.subscription_number
  RETURNING subscription.source_number AS "source", subscription.number AS "subscription",
    subscription.starts, subscription.name, subscription.target_url AS "targetUrl",
    lease.failing_since AS "failingSince", lease.failed_at AS "failedAt",
    lease.failures_in_a_row AS "failuresInARow", subscription.max_concurrency AS "maxConcurrency",
    chosen.is_behind AS "isBehind", chosen.has_retry AS "hasRetry", chosen.has_job AS "hasJob",
    token.secret, token.previous_secret, token.previous_until
)
SELECT scan.*, claimed.* FROM (
  SELECT least(
    (SELECT min(at) FROM candidate WHERE at > :now),
    (SELECT paused_until FROM lease WHERE paused_until > :now ORDER BY paused_until LIMIT 1)
  ) AS "nextAt"
) AS scan
LEFT JOIN claimed ON true`,
);

/**
 * A row that is locked is about to be released or started again, so its lease is left. To wait for it
 * could end in a deadlock with the release of several, which PostgreSQL ends after a second.
 */
const renew = preparedStatement<{ owner: string; subscriptions: readonly number[] }>(
  'renew-leases',
  `
WITH held AS (
  SELECT lease.subscription_number, subscription.starts, subscription.max_concurrency
  FROM lease
  JOIN subscription ON subscription.number = lease.subscription_number AND ${sqlIsActive}
  JOIN token ON token.number = subscription.token_number AND token.revoked_at IS NULL
  WHERE lease.owner = :owner AND lease.subscription_number = ANY (:subscriptions::integer[])
  FOR UPDATE OF lease SKIP LOCKED
)
UPDATE lease SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds'
FROM held WHERE lease.subscription_number = held.subscription_number
RETURNING held.subscription_number AS "subscription", held.starts,
  held.max_concurrency AS "maxConcurrency"`,
);

/** Failures from before the subscription was started again do not count. */
const isSame = 'lease.starts = one.starts';
const release = `
UPDATE lease SET owner = NULL, leased_until = NULL,
  failures_in_a_row = CASE WHEN ${isSame} THEN one.failures ELSE lease.failures_in_a_row END,
  failing_since = CASE WHEN ${isSame} THEN one.failing_since ELSE lease.failing_since END,
  failed_at = CASE WHEN ${isSame} THEN one.failed_at ELSE lease.failed_at END,
  paused_until = CASE WHEN ${isSame} THEN one.paused_until END
FROM unnest($2::integer[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[],
  $7::timestamptz[]) AS one (subscription, starts, failures, failing_since, failed_at, paused_until)
WHERE lease.subscription_number = one.subscription AND lease.owner = $1`;

const maxReleases = 500;

type ClaimRow = { readonly nextAt: Date | null } & (
  | Omit<LeasedSubscription, 'leasedUntil'>
  | { readonly subscription: null }
);

type Renewed = Pick<LeasedSubscription, 'subscription' | 'starts' | 'maxConcurrency'>;

interface Claimed {
  readonly leases: readonly LeasedSubscription[];
  /** When the next delivery is due, in milliseconds since 1970. */
  readonly nextAt: number | undefined;
}

/**
 * Leases: at any time, each subscription has one sender among all processes. Leases run on the
 * database's clock, since the clocks of machines differ.
 */
export class Leases {
  readonly owner: string = randomUUID();
  readonly #pool: Pool;
  /** By subscription, since the last renewal, on this process's monotonic clock. */
  readonly #heldUntil = new Map<number, number>();
  readonly #releases = new BatchedStatement<readonly unknown[], void>(
    async (releases) => {
      const values = [this.owner, ...rowsToColumns(releases)];
      // A lease that is not released stays for 15 s, and its deliveries wait.
      await retryOnConflict(() => this.#pool.query(release, values));
      return [];
    },
    { most: maxReleases },
  );

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Claims up to `most` subscriptions with due deliveries, other than those it holds. */
  async claim(now: number, held: readonly LeasedSubscription[], most: number): Promise<Claimed> {
    const startedAt = performance.now();
    const { rows } = await this.#pool.query<ClaimRow>(
      claim({
        owner: this.owner,
        now: new Date(now),
        held: held.map(({ subscription }) => subscription),
        most,
      }),
    );
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
   * leaves those that were started again, or whose limit changed, and claims them again.
   */
  async renew(leases: readonly LeasedSubscription[]): Promise<void> {
    const startedAt = performance.now();
    const subscriptions = leases.map(({ subscription }) => subscription);
    const query = renew({ owner: this.owner, subscriptions });
    const { rows } = await retryOnConflict(() => this.#pool.query<Renewed>(query));
    const renewed = new Map(rows.map((row) => [row.subscription, row]));
    for (const { subscription, starts, maxConcurrency } of leases) {
      const now = renewed.get(subscription);
      const isSame = now?.starts === starts && now.maxConcurrency === maxConcurrency;
      this.#heldUntil.set(subscription, startedAt + (isSame ? leaseSeconds * 1000 : 0));
    }
  }

  /** Whether this process still owns the lease, as far as it knows without asking the database. */
  isHeld({ subscription, leasedUntil }: LeasedSubscription): boolean {
    return performance.now() < (this.#heldUntil.get(subscription) ?? leasedUntil);
  }

  release({ subscription, starts }: LeasedSubscription, left: LeftForNextSender): Promise<void> {
    this.#heldUntil.delete(subscription);
    const { failuresInARow, failingSince, failedAt, pausedUntil } = left;
    const times = [failingSince, failedAt, pausedUntil];
    return this.#releases.add([subscription, starts, failuresInARow, ...times]);
  }
}

interface SenderOptions {
  /** From 0 up to 1, for the jitter of retries. */
  readonly random?: () => number;
  readonly places?: number;
}

const pollMs = 1_000;
/** So a revoked token gets nothing more than a second later. */
const renewMs = 1_000;
/** Interval between two claims. */
const pauseMs = 5;
/**
 * After one that took no subscription, such as while the only one is being delivered to. With 5 ms, 2,000
 * events caused some 180 claims of no subscription: 0.45 of the events a second of bare commits, now 0.52.
 */
const longerPauseMs = 15;
/** How long a subscription keeps its place while others wait. */
const placeMs = 1_000;

/** A subscription that this process delivers to now. */
interface Served {
  readonly work: Promise<void>;
  readonly since: number;
}

/**
 * Sends due deliveries. Each subscription has its own place, so that none waits for another. If
 * there are more subscriptions than places, they take turns of a second.
 */
export class Sender {
  readonly #context: RelayContext;
  readonly #leases: Leases;
  readonly #tools: AttemptTools;
  readonly #places: number;
  readonly #served = new Map<LeasedSubscription, Served>();
  readonly #claiming: CoalescedTask;
  /** Two at once would each take what the other has locked for lost. */
  readonly #renewal: CoalescedTask;
  readonly #stop = new AbortController();
  #pauseMs = pauseMs;
  #renewing: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #cancelNext: () => void = () => undefined;

  constructor(context: RelayContext, { random = Math.random, places = 500 }: SenderOptions = {}) {
    this.#context = context;
    this.#leases = new Leases(context.pool);
    this.#places = places;
    this.#tools = {
      context,
      random,
      readers: new DueDeliveryReaders(context.pool, context.clock, this.#leases.owner),
      writer: new ResultWriter(context.pool),
      mustYield: (lease) => this.#mustYield(lease),
    };
    this.#claiming = new CoalescedTask(() => this.#claim(), {
      ...context,
      pauseMs: () => this.#pauseMs,
    });
    this.#renewal = new CoalescedTask(() => this.#renew(), context);
  }

  start(): void {
    this.#renewing = setInterval(() => void this.#renewal.wake(), renewMs).unref();
    const { clock } = this.#context;
    if (!clock.isFrozen) this.#polling = setInterval(() => this.wake(), pollMs).unref();
    else clock.beforeAdvance(() => this.wake());
    this.wake();
  }

  wake(): void {
    this.#claiming.wake();
  }

  /** Leaves subscriptions that get nothing more. Other processes notice within a second. */
  leaveEnded(): void {
    void this.#renewal.wake();
  }

  /** Starts nothing new, and resolves when the running attempts are recorded. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#polling);
    this.#cancelNext();
    await this.#claiming.stop();
    await Promise.all([...this.#served.values()].map(({ work }) => work));
    // Renews the leases until then, so that no other process makes the same attempts.
    clearInterval(this.#renewing);
    await this.#renewal.stop();
  }

  async #claim(): Promise<void> {
    const { clock } = this.#context;
    const free = this.#places - this.#served.size;
    // A place that becomes free wakes it again.
    if (free <= 0) return;
    const held = [...this.#served.keys()];
    const { leases, nextAt } = await this.#leases.claim(clock.now(), held, free);
    for (const lease of leases) {
      const work = clock.track(this.#deliver(lease));
      this.#served.set(lease, { work, since: performance.now() });
    }
    this.#pauseMs = leases.length > 0 ? pauseMs : longerPauseMs;
    this.#cancelNext();
    if (nextAt !== undefined) this.#cancelNext = clock.schedule(nextAt, () => this.wake());
  }

  async #deliver(lease: LeasedSubscription): Promise<void> {
    try {
      const left = await attemptDueDeliveries(this.#tools, lease);
      await this.#leases.release(lease, left);
    } catch (error) {
      // Its lease is no longer renewed. The next process that claims it makes the attempts that
      // were not recorded.
      this.#context.report(error);
    } finally {
      this.#served.delete(lease);
      this.wake();
    }
  }

  #mustYield(lease: LeasedSubscription): boolean {
    if (this.#stop.signal.aborted || !this.#leases.isHeld(lease)) return true;
    if (this.#served.size < this.#places) return false;
    const { since = Number.POSITIVE_INFINITY } = this.#served.get(lease) ?? {};
    return performance.now() - since >= placeMs;
  }

  async #renew(): Promise<void> {
    const leases = [...this.#served.keys()];
    if (leases.length > 0) await this.#leases.renew(leases);
  }
}
