import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withQueryTimeLimit } from '../base/http.ts';
import { type SubscriptionId, subscriptionId } from '../base/ids.ts';
import {
  type OffReason,
  reasonErased,
  reasonNotDesired,
  reasonUnsubscribed,
} from '../base/stored-values.ts';
import { ingestResults, type Observer, type RelayContext } from '../log/context.ts';
import { sqlUnreadEvents } from '../log/waiting.ts';
import { sqlIsActive, sqlReadingTables } from '../log/wants.ts';

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Deliveries are counted up to this limit, so that a scrape stays fast with any backlog. */
const maxCounted = 100_000;
/** Several collectors, and pages that reload, share one query. */
const freshForMs = 5_000;
/** Why a subscription may be off, as `/metrics` shows it. */
const offReasons = ['gone', 'failing', 'by_hand', 'token_revoked', 'key_rotated'] as const;
const outcomes = ['delivered', 'ignored', 'failed', 'dead'] as const;

/**
 * The figures of `/metrics`. Counters are per process; figures from the database cover all processes.
 */
export class Metrics implements Partial<Observer> {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #ingested = new Counter({
    name: 'relay_ingest_total',
    help: 'Requests to the ingress, by result',
    labelNames: ['result'],
    registers: this.#registers,
  });
  readonly #ingestSeconds = new Histogram({
    name: 'relay_ingest_duration_seconds',
    help: 'Time until the ingress responded',
    buckets: seconds,
    registers: this.#registers,
  });
  readonly #attempts = new Counter({
    name: 'relay_delivery_attempts_total',
    help: 'Delivery attempts: delivered, ignored by the target, failed with a retry to come, or dead',
    labelNames: ['outcome'],
    registers: this.#registers,
  });
  readonly #attemptSeconds = new Histogram({
    name: 'relay_delivery_duration_seconds',
    help: 'Time until a subscriber responded or the attempt timed out',
    buckets: seconds,
    registers: this.#registers,
  });
  readonly #errors = new Counter({
    name: 'relay_errors_total',
    help: 'Internal errors that the process survived; see its log',
    registers: this.#registers,
  });
  readonly #deliveries = this.#gauge(
    'relay_deliveries',
    `Events that wait for a first attempt, deliveries to retry, and dead ones; counted up to ${maxCounted}`,
    ['state'],
  );
  readonly #subscriptions = this.#gauge(
    'relay_subscriptions',
    'Subscriptions, active and off, with the reason',
    ['state', 'off_reason'],
  );
  readonly #ofSubscription = this.#gauge(
    'relay_subscription_deliveries',
    `Events that wait for a first attempt at a subscription, deliveries to retry, and dead ones that can be redelivered; counted up to ${maxOfOne}. Of ${maxSubscriptions} subscriptions: those that have failed longest, then those with dead deliveries, then the newest`,
    ['subscription', 'state'],
  );
  readonly #failing = this.#gauge(
    'relay_subscription_failing_seconds',
    'How long a subscription that is on has accepted nothing; 0 if the last attempt succeeded',
    ['subscription'],
  );
  readonly #lag = this.#gauge(
    'relay_lag_seconds',
    'How long the oldest event has waited that the relay may send and has not begun to send',
  );
  readonly #database = this.#gauge(
    'relay_database_up',
    'Whether the database responds; at 0, metrics from the database are missing',
  );
  readonly #clockOffset = this.#gauge(
    'relay_clock_offset_seconds',
    "How far this machine's clock is ahead of the database's, which the relay uses",
  );
  #hasProcess = false;
  #reading: { readonly at: number; readonly done: Promise<void> } | undefined;

  /** A counter that begins with its first event would hide that event from an increase. */
  constructor() {
    for (const result of ingestResults) this.#ingested.inc({ result }, 0);
    for (const outcome of outcomes) this.#attempts.inc({ outcome }, 0);
  }

  ingested({ result, durationMs }: Parameters<Observer['ingested']>[0]): void {
    this.#ingested.inc({ result });
    this.#ingestSeconds.observe(durationMs / 1000);
  }

  attempted({ state, durationMs }: Parameters<Observer['attempted']>[0]): void {
    this.#attempts.inc({ outcome: state === 'pending' ? 'failed' : state });
    this.#attemptSeconds.observe(durationMs / 1000);
  }

  failed(): void {
    this.#errors.inc();
  }

  clockRead(aheadMs: number): void {
    this.#clockOffset.set(aheadMs / 1000);
  }

  async show(context: RelayContext): Promise<Response> {
    // These watch the process from the first scrape on. Without scrapes they cost nothing.
    if (!this.#hasProcess) collectDefaultMetrics({ register: this.#registry });
    this.#hasProcess = true;
    if (!this.#reading || performance.now() - this.#reading.at > freshForMs) {
      this.#reading = { at: performance.now(), done: this.#read(context) };
    }
    await this.#reading.done;
    return new Response(await this.#registry.metrics(), {
      headers: { 'content-type': this.#registry.contentType },
    });
  }

  #gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
    return new Gauge({ name, help, labelNames, registers: this.#registers });
  }

  async #read({ pool, clock, report }: RelayContext): Promise<void> {
    const queries = Promise.all([
      countStates(pool, maxCounted),
      oldestDue(pool, clock.now()),
      subscriptionFigures(pool),
    ]);
    const found = await withQueryTimeLimit(queries).catch((error) => void report(error));
    this.#database.set(found ? 1 : 0);
    const all = [
      this.#deliveries,
      this.#subscriptions,
      this.#ofSubscription,
      this.#failing,
      this.#lag,
    ];
    for (const gauge of all) gauge.reset();
    if (!found) return;
    const [counts, due, figures] = found;
    for (const state of ['waiting', 'pending', 'dead'] as const)
      this.#deliveries.set({ state }, counts[state]);
    this.#subscriptions.set({ state: 'active' }, counts.active);
    for (const off_reason of offReasons)
      this.#subscriptions.set({ state: 'off', off_reason }, counts.off_by_reason[off_reason] ?? 0);
    for (const { id: subscription, waiting, pending, dead, ...standing } of figures) {
      this.#ofSubscription.set({ subscription, state: 'waiting' }, waiting);
      this.#ofSubscription.set({ subscription, state: 'pending' }, pending);
      this.#ofSubscription.set({ subscription, state: 'dead' }, dead);
      if (!standing.is_active) continue;
      this.#failing.set({ subscription }, secondsSince(standing.failing_since?.getTime(), clock));
    }
    this.#lag.set(secondsSince(due, clock));
  }
}

/** 0 without a moment, and for one to come. */
function secondsSince(at: number | undefined, clock: ScheduledClock): number {
  return at === undefined ? 0 : Math.max(0, clock.now() - at) / 1000;
}

interface StateCounts
  extends Readonly<Record<'waiting' | 'pending' | 'dead' | 'active' | 'off', number>> {
  readonly off_by_reason: Readonly<Partial<Record<OffReason, number>>>;
}

/** SQL for the active subscriptions of a kind that have not read its `newest` event. */
const isBehind = `${sqlIsActive} AND subscription.source_number = newest.source_number
      AND subscription.events = newest.events AND subscription.position < newest.position`;

/** A subscription with more counts as one with so many. */
const mostUnread = 10_000;

/**
 * Each query reads what waits, the pending or dead deliveries, or a small table. The ORDER BY matches an index:
 * without it the planner may also read rows that vacuum has yet to remove.
 */
const countStatement = `
${sqlReadingTables}, waiting AS (
  SELECT subscription.number FROM newest JOIN subscription ON ${isBehind}
  CROSS JOIN LATERAL (${sqlUnreadEvents(mostUnread)}) AS unread LIMIT $1
), off AS (
  SELECT off_reason, count(*)::integer FROM subscription WHERE off_reason <> 'unsubscribed' GROUP BY off_reason
)
SELECT (SELECT count(*)::integer FROM waiting) AS waiting,
  (SELECT count(*)::integer FROM (
    SELECT FROM delivery WHERE state = 'pending'
    ORDER BY subscription_number, next_at LIMIT $1
  ) AS counted) AS pending,
  (SELECT count(*)::integer FROM (
    SELECT FROM source CROSS JOIN LATERAL (
      SELECT FROM delivery WHERE source_number = source.number AND state = 'dead'
      ORDER BY source_number, state, position LIMIT $1
    ) AS one LIMIT $1
  ) AS counted) AS dead,
  (SELECT count(*)::integer FROM subscription WHERE state = 'active') AS active,
  (SELECT coalesce(sum(count), 0)::integer FROM off) AS off,
  (SELECT coalesce(jsonb_object_agg(off_reason, count), '{}') FROM off) AS off_by_reason`;

const nothing: StateCounts = {
  ...{ waiting: 0, pending: 0, dead: 0, active: 0, off: 0 },
  off_by_reason: {},
};

/** Counts events without an attempt, deliveries to retry and dead ones, each up to a limit, and subscriptions. */
export async function countStates(pool: Pool, most: number): Promise<StateCounts> {
  const { rows } = await pool.query<StateCounts>(countStatement, [most]);
  return rows[0] ?? nothing;
}

interface SubscriptionFigures extends SubscriptionId {
  readonly waiting: number;
  readonly pending: number;
  /** Without what was erased, or is not wanted any more: there is nothing to do about it. */
  readonly dead: number;
  readonly is_active: boolean;
  readonly failing_since: Date | null;
}

/** A collector keeps a series for each of them. */
const maxSubscriptions = 100;
/** Deliveries of each are counted up to this limit. */
const maxOfOne = 1_000;

const harmless = [reasonErased, reasonNotDesired, reasonUnsubscribed]
  .map((reason) => `'${reason}'`)
  .join(', ');

const figuresStatement = `
SELECT subscription.id, subscription.generation, shown.failing_since, ${sqlIsActive} AS is_active,
  (SELECT count(*)::integer FROM (${sqlUnreadEvents(maxOfOne)}) AS one) AS waiting,
  (SELECT count(*)::integer FROM (
    SELECT FROM delivery WHERE subscription_number = subscription.number AND state = 'pending'
    ORDER BY next_at LIMIT $2
  ) AS one) AS pending,
  (SELECT count(*)::integer FROM (
    SELECT reason FROM delivery WHERE subscription_number = subscription.number AND state = 'dead'
    ORDER BY subscription_number DESC, state DESC, position DESC LIMIT $2
  ) AS one WHERE coalesce(reason, '') NOT IN (${harmless})) AS dead
FROM (
  SELECT subscription.number, CASE WHEN ${sqlIsActive} THEN failing_since END AS failing_since,
    EXISTS (SELECT FROM delivery WHERE delivery.subscription_number = subscription.number AND delivery.state = 'dead') AS has_dead
  FROM subscription LEFT JOIN lease ON lease.subscription_number = subscription.number
  WHERE coalesce(off_reason, '') NOT IN ('unsubscribed', 'token_revoked')
  ORDER BY 2 NULLS LAST, 3 DESC, number DESC LIMIT $1
) AS shown JOIN subscription ON subscription.number = shown.number
ORDER BY shown.failing_since NULLS LAST, shown.has_dead DESC, shown.number DESC`;

/**
 * Subscriptions that have failed longest come first, then those with dead deliveries, then the newest.
 * Those of revoked tokens, to which nothing can be delivered, are left out.
 */
async function subscriptionFigures(pool: Pool): Promise<readonly SubscriptionFigures[]> {
  const { rows } = await pool.query<SubscriptionFigures>(figuresStatement, [
    maxSubscriptions,
    maxOfOne,
  ]);
  return rows.map((row) => ({ ...row, id: subscriptionId(row) }));
}

/** SQL for a subscription to which the relay may send, and no process sends. */
const isFree = `(lease.leased_until >= clock_timestamp()) IS NOT TRUE
    AND (lease.paused_until IS NULL OR lease.paused_until <= $1)`;

/**
 * Reads the first event that the one furthest behind of each kind of subscription waits for, and the first
 * retry that is due. Events for a subscriber that is down or slow do not count.
 */
const lagStatement = `
${sqlReadingTables}, waiting AS (
  SELECT next.received_at AS at FROM newest
  CROSS JOIN LATERAL (
    SELECT position, since FROM subscription
    JOIN lease ON lease.subscription_number = subscription.number AND ${isFree}
    WHERE ${isBehind} ORDER BY position LIMIT 1
  ) AS last
  CROSS JOIN unnest(newest.events, last.since) AS wanted (name, since)
  CROSS JOIN LATERAL (
    (SELECT received_at FROM event
      WHERE wanted.name <> '*' AND source_number = newest.source_number AND type = wanted.name
        AND position > greatest(last.position, wanted.since)
      ORDER BY source_number, type, position LIMIT 1)
    UNION ALL
    (SELECT received_at FROM event
      WHERE wanted.name = '*' AND source_number = newest.source_number AND type NOT LIKE 'relay.%'
        AND position > greatest(last.position, wanted.since)
      ORDER BY source_number, position LIMIT 1)
  ) AS next
)
SELECT least(
  (SELECT min(at) FROM waiting),
  (SELECT min(retrying.next_at) FROM retrying
    JOIN lease ON lease.subscription_number = retrying.subscription_number
    JOIN subscription ON subscription.number = retrying.subscription_number
    WHERE ${sqlIsActive} AND ${isFree})
) AS at`;

/** Since when the oldest event waits, or will be due, in milliseconds since 1970; undefined for none. */
async function oldestDue(pool: Pool, now: number): Promise<number | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(lagStatement, [new Date(now)]);
  return rows[0]?.at?.getTime();
}
