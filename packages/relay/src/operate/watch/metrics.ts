import type { ScheduledClock } from '@screen-advertising/server-kit';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withinBound } from '../../base/http.ts';
import { ingestResults, type Observer, type RelayContext } from '../../log/context.ts';

import {
  countStates,
  maxOfOne,
  maxSubscriptions,
  oldestDue,
  subscriptionFigures,
} from './database-figures.ts';

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Deliveries are counted up to this limit, so that a scrape stays fast with any backlog. */
const maxCounted = 100_000;
/** Several collectors, and pages that reload, share one query. */
const freshForMs = 5_000;
/** Why a subscription may be off, as `/metrics` shows it. */
const offReasons = ['gone', 'failing', 'by_hand', 'token_revoked', 'key_rotated'] as const;
const outcomes = ['delivered', 'ignored', 'failed', 'dead'] as const;

/**
 * What `/metrics` shows. Counters are per process; figures from the database cover all processes.
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

  /** In the text format of Prometheus. */
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
    const found = await withinBound(queries).catch((error) => void report(error));
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
