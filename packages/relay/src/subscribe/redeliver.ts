import { type Kysely, type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { Started } from '../log/contract-types.ts';
import { readDeliveryId } from '../log/database/ids.ts';
import { endOfLog, positionBefore } from '../log/database/log-position.ts';
import type { DeliveryState } from '../log/database/stored-values.ts';
import type { SubscriptionTable } from '../log/database/subscription-tables.ts';
import type { Tables } from '../log/database/tables.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { jobsOf, missingJob, type NewJob, startJobs } from './jobs.ts';
import { endPause } from './lease.ts';
import { lockReachable } from './reachable.ts';
import { noDelivery } from './records/find.ts';

type Subscription = Selectable<SubscriptionTable>;

/** Milliseconds since 1970: of events that arrived at or after `from` and before `to`. */
interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What to deliver, as one of these. */
export type Redelivery =
  /** By their IDs. */
  | { readonly deliveries: readonly string[] }
  | ({ readonly states: readonly DeliveryState[] } & Period)
  /** What it wants and has no delivery of. */
  | ({ readonly missing: true } & Period)
  /** What another subscription still had to get. */
  | { readonly of: Subscription };

/**
 * Sends deliveries of a subscription again, each with a fresh schedule and a new `webhook-id`, or
 * for the first time what it never got. Throws a RelayError for what cannot be.
 */
export async function redeliver(
  context: RelayContext,
  subscription: number,
  what: Redelivery,
): Promise<Started> {
  return startFor(context, subscription, (transaction, row) => jobsFor(transaction, row, what));
}

/** Makes the next attempt of its pending deliveries now: of all, or of those with these IDs. */
export async function retry(
  context: RelayContext,
  subscription: number,
  deliveries?: readonly string[],
): Promise<Started> {
  return startFor(context, subscription, async (transaction, row) => [
    deliveries
      ? await chosenJob(transaction, row, 'retry', deliveries)
      : { ...ownJob(row, 'retry'), states: ['pending'], ...(await spanOf(transaction, row, {})) },
  ]);
}

async function startFor(
  context: RelayContext,
  subscription: number,
  jobs: (transaction: Kysely<Tables>, row: Subscription) => Promise<readonly NewJob[]>,
): Promise<Started> {
  return change(context, async (transaction) => {
    const row = await lockReachable(transaction, subscription);
    const { count, hasMore } = await startJobs(transaction, await jobs(transaction, row));
    await endPause(transaction, [subscription]);
    return { deliveries: count, has_more: hasMore };
  });
}

async function jobsFor(
  db: Kysely<Tables>,
  row: Subscription,
  what: Redelivery,
): Promise<readonly NewJob[]> {
  if ('of' in what) return jobsOf(db, row, what.of, await endOfLog(db, row.source_number));
  if ('deliveries' in what) return [await chosenJob(db, row, 'again', what.deliveries)];
  const { position, until } = await spanOf(db, row, what);
  if ('states' in what) {
    const states = [...new Set(what.states)].sort();
    return [{ ...ownJob(row, 'again'), states, position, until }];
  }
  // A person who names a start wants all since then, whatever the subscription wanted at the time.
  const since = what.from === undefined ? row.since : row.events.map(() => '0');
  return [missingJob({ ...row, since }, position, until)];
}

function ownJob({ number }: Subscription, kind: 'again' | 'retry') {
  return { kind, subscription_number: number, of_number: number };
}

/** Missing events count since the subscription was created, unless a start is given. */
async function spanOf(
  db: Kysely<Tables>,
  { source_number: source, created_at }: Subscription,
  what: Period & { readonly missing?: true },
): Promise<Pick<NewJob, 'position' | 'until'>> {
  const { to, from = what.missing && created_at.getTime() } = what;
  return {
    position: from === undefined ? '0' : await positionBefore(db, source, from),
    until: to === undefined ? await endOfLog(db, source) : await positionBefore(db, source, to),
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
    if (!key) throw noDelivery(id);
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
    if (position === null) throw noDelivery(ids[nth] ?? '');
    return position;
  });
  return jobAt(row, kind, positions);
}

/** A job of single events. */
export function jobAt(
  row: Subscription,
  kind: 'again' | 'retry',
  positions: readonly string[],
): NewJob {
  const ordered = [...new Set(positions)].map(BigInt).sort((a, b) => Number(a - b));
  return {
    ...ownJob(row, kind),
    positions: ordered.map(String),
    position: String((ordered[0] ?? 0n) - 1n),
    until: String(ordered.at(-1) ?? 0n),
  };
}
