import { conflictReasons } from '@screen-advertising/core/relay-contract';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { StartedDeliveries } from '../base/contract.ts';
import { readDeliveryId } from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import { sqlIf } from '../base/statements.ts';
import type { DeliveryState } from '../base/stored-values.ts';
import type { SubscriptionTable, Tables } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';
import { type EventKey, newestEventPosition, positionBefore } from '../log/positions.ts';
import { keepFromPruning } from '../log/prune.ts';
import { changeInTransaction, endFailurePause, lockReachable } from './change.ts';
import {
  countJob,
  findOtherSubscription,
  jobsToTakeOver,
  missingJob,
  type NewJob,
  type StartedCount,
  startJobs,
} from './jobs.ts';
import { deliveryNotFound } from './records.ts';

type Subscription = Selectable<SubscriptionTable>;
type Place = Pick<Subscription, 'number' | 'source_number'>;

/** Milliseconds since 1970: of events that arrived at or after `from` and before `to`. */
interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What to deliver, in one of four ways. */
export interface RedeliveryRequest extends Period {
  /** By their IDs. */
  readonly deliveries?: readonly string[] | undefined;
  readonly states?: readonly DeliveryState[] | undefined;
  /** Events that it wants and has no delivery of. */
  readonly missing?: true | undefined;
  /** The ID of another subscription: events that this one still had to get. */
  readonly of?: string | undefined;
}

/**
 * Sends deliveries of a subscription again, each with a fresh schedule and a new `webhook-id`, or
 * for the first time what it never got. Throws a RelayError for what cannot be.
 */
export async function redeliver(
  context: RelayContext,
  subscription: Place,
  what: RedeliveryRequest,
): Promise<StartedDeliveries> {
  return startFor(context, subscription, (transaction, row) => jobsFor(transaction, row, what));
}

/** Makes the next attempt of its pending deliveries now: of all, or of those with these IDs. */
export async function retryPendingDeliveries(
  context: RelayContext,
  subscription: Place,
  deliveries?: readonly string[],
): Promise<StartedDeliveries> {
  return startFor(context, subscription, async (transaction, row) => [
    deliveries
      ? await chosenJob(transaction, row, 'retry', deliveries)
      : { ...ownJob(row, 'retry'), states: ['pending'], ...(await spanOf(transaction, row, {})) },
  ]);
}

async function startFor(
  context: RelayContext,
  { number, source_number: source }: Place,
  jobs: (transaction: Kysely<Tables>, row: Subscription) => Promise<readonly NewJob[]>,
): Promise<StartedDeliveries> {
  return changeInTransaction(context, async (transaction) => {
    await keepFromPruning(transaction, source);
    const row = await lockReachable(transaction, number);
    await endFailurePause(transaction, [number]);
    const { count, hasMore } = await startJobs(transaction, await jobs(transaction, row));
    return { deliveries: count, has_more: hasMore };
  });
}

async function jobsFor(
  db: Kysely<Tables>,
  row: Subscription,
  what: RedeliveryRequest,
): Promise<readonly NewJob[]> {
  const { deliveries, states, of } = what;
  if (deliveries) return [await chosenJob(db, row, 'again', deliveries)];
  if (states) {
    const ordered = [...new Set(states)].sort();
    return [{ ...ownJob(row, 'again'), states: ordered, ...(await spanOf(db, row, what)) }];
  }
  if (of === undefined) return [await missingOf(db, row, what)];
  const { source_number: source } = row;
  const other = await findOtherSubscription(db, source, of);
  return other ? jobsToTakeOver(row, other, await newestEventPosition(db, source)) : [];
}

type Wanting = Pick<Subscription, 'number' | 'source_number' | 'created_at' | 'events' | 'since'>;

/** Since the subscription was created, unless a start is given. */
async function missingOf(db: Kysely<Tables>, row: Wanting, what: Period): Promise<NewJob> {
  const from = what.from ?? row.created_at.getTime();
  const { position, until } = await spanOf(db, row, { ...what, from });
  // A person who names a start wants all since then, whatever the subscription wanted at the time.
  const since = what.from === undefined ? row.since : row.events.map(() => '0');
  return missingJob({ ...row, since }, position, until);
}

/** Counts the events that a subscription never got since a time, or since its creation. */
export async function countMissingEvents(
  { db }: Pick<RelayContext, 'db'>,
  row: Wanting,
  from: number | undefined,
): Promise<StartedCount> {
  return countJob(db, await missingOf(db, row, { from }));
}

function ownJob({ number }: Subscription, kind: 'again' | 'retry') {
  return { kind, subscription_number: number, of_number: number };
}

async function spanOf(
  db: Kysely<Tables>,
  { source_number: source }: Pick<Subscription, 'source_number'>,
  { from, to }: Period,
): Promise<Pick<NewJob, 'position' | 'until'>> {
  return {
    position: from === undefined ? '0' : await positionBefore(db, source, from),
    until:
      to === undefined
        ? await newestEventPosition(db, source)
        : await positionBefore(db, source, to),
  };
}

async function chosenJob(
  db: Kysely<Tables>,
  row: Subscription,
  kind: 'again' | 'retry',
  ids: readonly string[],
): Promise<NewJob> {
  const events = ids.map((id) => {
    const key = readDeliveryId(id);
    if (!key) throw deliveryNotFound(id);
    if (key.subscription === row.number) return key.event;
    throw new RelayError('invalid_parameter', `deliveries: ${id} is of another subscription.`);
  });
  const { rows } = await sql<{ position: string | null }>`
    SELECT delivery.position FROM unnest(${events}::uuid[]) WITH ORDINALITY AS asked (event, nth)
    LEFT JOIN event ON event.id = asked.event AND event.source_number = ${row.source_number}
    LEFT JOIN delivery ON delivery.source_number = event.source_number
      AND delivery.position = event.position AND delivery.subscription_number = ${row.number}
    ORDER BY asked.nth`.execute(db);
  const positions = rows.map(({ position }, nth) => {
    if (position === null) throw deliveryNotFound(ids[nth] ?? '');
    return position;
  });
  return jobAt(row, kind, positions);
}

function jobAt(row: Subscription, kind: 'again' | 'retry', positions: readonly string[]): NewJob {
  const ordered = [...new Set(positions)].map(BigInt).sort((a, b) => Number(a - b));
  return {
    ...ownJob(row, kind),
    positions: ordered.map(String),
    position: String((ordered[0] ?? 0n) - 1n),
    until: String(ordered.at(-1) ?? 0n),
  };
}

/**
 * Sends a stored event again: to one subscription, whatever its type and age, or else to those that
 * are on and had it, all or those of a token. Throws a RelayError (`conflict`) for an erased event.
 */
export async function redeliverEvent(
  context: RelayContext,
  event: EventKey,
  to: { readonly subscription: number } | { readonly token: number | undefined },
): Promise<StartedDeliveries> {
  return changeInTransaction(context, async (transaction) => {
    await keepFromPruning(transaction, event.source_number);
    await mustBeKept(transaction, event);
    const numbers =
      'subscription' in to
        ? [to.subscription]
        : await subscriptionsThatHadEvent(transaction, event, to.token);
    let deliveries = 0;
    for (const number of numbers) {
      const row = await lockReachable(transaction, number);
      await endFailurePause(transaction, [number]);
      const { count } = await startJobs(transaction, [jobAt(row, 'again', [event.position])]);
      deliveries += count;
    }
    return { deliveries, has_more: false };
  });
}

/** Those that had an event and are on, in the order in which every request locks them. */
export async function subscriptionsThatHadEvent(
  db: Kysely<Tables>,
  { source_number, position }: EventKey,
  token?: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number }>`
    SELECT subscription.number FROM delivery
    JOIN subscription ON subscription.number = delivery.subscription_number
    JOIN token AS holder ON holder.number = subscription.token_number
    WHERE delivery.source_number = ${source_number} AND delivery.position = ${position}
      AND subscription.state = 'active' AND holder.revoked_at IS NULL
      ${sqlIf(token, (number) => sql`AND holder.number = ${number}`)}
    ORDER BY subscription.number`.execute(db);
  return rows.map(({ number }) => number);
}

async function mustBeKept(
  db: Kysely<Tables>,
  { source_number, position }: EventKey,
): Promise<void> {
  const { body } = await db
    .selectFrom('event')
    .select('body')
    .where('source_number', '=', source_number)
    .where('position', '=', position)
    .executeTakeFirstOrThrow();
  if (body !== null) return;
  throw new RelayError('conflict', conflictReasons.erased);
}
