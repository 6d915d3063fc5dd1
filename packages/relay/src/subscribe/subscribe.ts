import { type Kysely, type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { readSubscriptionId, uuidAt } from '../log/database/ids.ts';
import { endOfLog, higherPosition, lowerPosition } from '../log/database/log-position.ts';
import { isDesired, namesFor } from '../log/database/reading-subscriptions.ts';
import type { SubscriptionTable } from '../log/database/subscription-tables.ts';
import type { Tables } from '../log/database/tables.ts';
import { namesLeft, requestedNames, wantsNext } from '../log/database/wants.ts';
import { change } from './change.ts';
import { reasonNotDesired, reasonUnsubscribed } from './dead-reasons.ts';
import { addJob, countJob, jobsOf, limitJobs, missingJob } from './jobs.ts';
import { startAgain } from './lease.ts';

export interface Subscribing {
  readonly source: number;
  readonly token: number;
  /** As `normalizeTarget` returns it. */
  readonly targetUrl: string;
  readonly events: readonly string[];
  readonly name?: string | undefined;
  /** Whether it also gets what it skipped; false to skip what waits now. */
  readonly catchUp?: boolean | undefined;
  /** ID of the subscription that this one replaces. An unknown ID is ignored. */
  readonly replaces?: string | undefined;
  /** Without one, it stays. */
  readonly maxConcurrency?: number | undefined;
}

type Subscription = Selectable<SubscriptionTable>;

interface Subscribed {
  readonly row: Subscription;
  readonly isNew: boolean;
  /** The events until now, if it was on with others: another program may use the same target. */
  readonly previousEvents: readonly string[] | undefined;
  /** When the first event arrived that it skipped, and how many of the first 2,000 it wants. */
  readonly skipped: { readonly from: Date; readonly count: number } | undefined;
}

/** A subscriber that comes back within it continues where it stopped: it was only being updated. */
export const graceMs: number = 10 * 60_000;

/**
 * Creates or revives the one row of a token's target, in one transaction that holds the row. Whatever
 * a request before it causes later changes nothing any more, since the generation is another.
 */
export async function subscribe(context: RelayContext, wanted: Subscribing): Promise<Subscribed> {
  const { source, replaces, catchUp, name, maxConcurrency } = wanted;
  const now = context.clock.now();
  return change(context, async (transaction) => {
    const end = await endOfLog(transaction, source);
    const before = await lockRow(transaction, wanted, end, now);
    const isNew = before.generation === 1;
    const skips = catchUp === false || (catchUp !== true && isLate(before, now));
    const position = skips ? higherPosition(before.position, end) : before.position;
    const isSkipping = position !== before.position;
    const skippedFrom = before.skipped_from ?? (isSkipping ? before.position : null);
    const reached = lowerPosition(skippedFrom ?? position, position);
    const wants = wantsNext(before, [...new Set(wanted.events)], { end, reached });
    const row = await transaction
      .updateTable('subscription')
      .set({
        ...wants,
        position,
        skipped_from: catchUp === true ? null : skippedFrom,
        state: 'active',
        off_reason: null,
        stopped_at: null,
        ...(name !== undefined && { name }),
        ...(maxConcurrency !== undefined && { max_concurrency: maxConcurrency }),
      })
      .where('number', '=', before.number)
      .returningAll()
      .executeTakeFirstOrThrow();
    await startAgain(transaction, row);
    if (skips) await endPending(transaction, row.number);
    if (catchUp === true) await startPending(transaction, row, now);
    await endUnwanted(transaction, row, before.events);
    if (catchUp === true && skippedFrom !== null) {
      await addJob(transaction, missingJob(row, skippedFrom, position));
    }
    if (replaces !== undefined && (isNew || before.state === 'off')) {
      const other = await findReplaced(transaction, row, replaces);
      const isOver = other && isLate(other, now) && catchUp !== true;
      const jobs = other && !isOver ? await jobsOf(transaction, row, other, end) : [];
      for (const job of jobs) await addJob(transaction, job);
    }
    const names = requestedNames(before.events);
    const isOther = names.join() !== requestedNames(row.events).join();
    return {
      row,
      isNew,
      previousEvents: !isNew && before.state === 'active' && isOther ? names : undefined,
      skipped: await skippedBy(transaction, row),
    };
  });
}

/** Whether its subscriber ended it too long ago to continue where it stopped. */
function isLate({ off_reason, stopped_at }: Subscription, now: number): boolean {
  return off_reason === 'unsubscribed' && now - Number(stopped_at) > graceMs;
}

/** Takes the next generation, and returns the row as it was before, or as it is created. */
async function lockRow(
  db: Kysely<Tables>,
  { source, token, targetUrl, events }: Subscribing,
  end: string,
  now: number,
): Promise<Subscription> {
  const wants = wantsNext({ events: [], since: [] }, events, { end, reached: end });
  return db
    .insertInto('subscription')
    .values({
      id: uuidAt(now),
      source_number: source,
      token_number: token,
      target_url: targetUrl,
      ...wants,
      position: end,
      created_at: new Date(now),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['token_number', 'target_url'])
        .doUpdateSet({ generation: sql`subscription.generation + 1` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Any other subscription of the source, in whatever state. */
async function findReplaced(
  db: Kysely<Tables>,
  { number, source_number }: Subscription,
  id: string,
): Promise<Subscription | undefined> {
  return db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', readSubscriptionId(id)?.id ?? null)
    .where('source_number', '=', source_number)
    .where('number', '<>', number)
    .executeTakeFirst();
}

/** What was attempted before it skips what waits. */
async function endPending(db: Kysely<Tables>, number: number): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'dead', reason: reasonUnsubscribed, next_at: null })
    .where('subscription_number', '=', number)
    .where('state', '=', 'pending')
    .execute();
}

/** The opposite, for one that catches up, of what it wants. */
async function startPending(
  db: Kysely<Tables>,
  { number, events, since }: Subscription,
  now: number,
): Promise<void> {
  await sql`
    UPDATE delivery SET state = 'pending', reason = NULL, next_at = ${new Date(now)}
    FROM event
    WHERE delivery.subscription_number = ${number} AND delivery.state = 'dead'
      AND delivery.reason = ${reasonUnsubscribed}
      AND event.source_number = delivery.source_number AND event.position = delivery.position
      AND ${isDesired({ events, since })}`.execute(db);
}

/**
 * What is pending, or left to a job, of the names that it wants no more, or did not want until now: an
 * attempt that ended just when its type was given up may have left it.
 */
async function endUnwanted(
  db: Kysely<Tables>,
  { number, events }: Subscription,
  before: readonly string[],
): Promise<void> {
  const names = [...namesLeft(before, events), ...namesLeft(events, before)];
  if (names.length === 0) return;
  await limitJobs(db, { number, events });
  await sql`
    UPDATE delivery SET state = 'dead', reason = ${reasonNotDesired}, next_at = NULL
    FROM event
    WHERE delivery.subscription_number = ${number} AND delivery.state = 'pending'
      AND event.source_number = delivery.source_number AND event.position = delivery.position
      AND ${sql.raw(namesFor('event.type'))} && ${names}::text[]
      AND (NOT ${sql.raw(namesFor('event.type'))} && ${events}::text[]
        OR delivery.replays = 0 AND NOT ${sql.raw(namesFor('event.type'))} && ${before}::text[])`.execute(
    db,
  );
}

async function skippedBy(db: Kysely<Tables>, row: Subscription): Promise<Subscribed['skipped']> {
  const { skipped_from: from, source_number: source, position } = row;
  if (from === null) return undefined;
  const first = await db
    .selectFrom('event')
    .select('received_at')
    .where('source_number', '=', source)
    .where('position', '>', from)
    .orderBy('source_number')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  const { count } = await countJob(db, missingJob(row, from, position));
  return first && count > 0 ? { from: first.received_at, count } : undefined;
}
