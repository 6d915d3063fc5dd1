import { events } from '@screen-advertising/core';
import { isRelayProblemEventName, relayProblemEventKind } from '@screen-advertising/core/webhooks';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { readSubscriptionId, uuidAt } from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import { sqlIf } from '../base/statements.ts';
import { reasonNotDesired, reasonUnsubscribed } from '../base/stored-values.ts';
import type { SubscriptionTable, Tables } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';
import { higherPosition, lowerPosition, newestEventPosition } from '../log/positions.ts';
import { keepFromPruning } from '../log/prune.ts';
import {
  everyEvent,
  removedEventNames,
  requestedNames,
  sqlIsDesired,
  sqlNamesForType,
  updateWants,
} from '../log/wants.ts';
import { changeInTransaction, restartSubscription } from './change.ts';
import {
  addJob,
  countJob,
  dropJobs,
  findOtherSubscription,
  jobsToTakeOver,
  limitJobs,
  missingJob,
  sqlIsDelivered,
} from './jobs.ts';

interface Place {
  readonly source: number;
  readonly token: number;
  readonly targetUrl: string;
}

/**
 * The names to subscribe to. Throws a RelayError for names that this version does not know, the source
 * has never received, and the subscription does not have: a typing mistake would subscribe to nothing.
 */
export async function checkEventNames(
  { db }: Pick<RelayContext, 'db'>,
  { source, token, targetUrl }: Place,
  names: readonly string[],
): Promise<readonly string[]> {
  const problems = names.filter(isRelayProblemEventName);
  if (names.includes(everyEvent)) return [everyEvent, ...problems];
  const others = names.filter(
    (name) => !Object.hasOwn(events, name) && !isRelayProblemEventName(name),
  );
  if (others.length === 0) return names;
  const { rows: missing } = await sql<{ name: string }>`
    SELECT asked.name FROM unnest(${others}::text[]) AS asked (name)
    WHERE NOT EXISTS (SELECT FROM event WHERE source_number = ${source} AND type = asked.name)
      AND NOT EXISTS (
        SELECT FROM subscription
        WHERE token_number = ${token} AND target_url = ${targetUrl} AND asked.name = ANY (subscription.events)
      )
  `.execute(db);
  if (missing.length === 0) return names;
  const unknown = missing.map(({ name }) => JSON.stringify(name)).join(', ');
  throw new RelayError(
    'invalid_parameter',
    `events: the service has no event ${unknown}. Use ${Object.keys(events).join(', ')}, or "*" for all, including future ones. The relay has ${relayProblemEventKind.types.join(', ')}.`,
  );
}

interface Subscribing {
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
export const resubscribeGraceMs: number = 10 * 60_000;

/**
 * Creates or revives the one row of a token's target, in one transaction that holds the row. Whatever
 * a request before it causes later changes nothing any more, since the generation is another.
 */
export async function subscribe(context: RelayContext, wanted: Subscribing): Promise<Subscribed> {
  const { source, replaces, catchUp, name, maxConcurrency } = wanted;
  const now = context.clock.now();
  return changeInTransaction(context, async (transaction) => {
    await keepFromPruning(transaction, source);
    const end = await newestEventPosition(transaction, source);
    const before = await lockRow(transaction, wanted, end, now);
    const isNew = before.generation === 1;
    const skips = catchUp === false || (catchUp !== true && isLate(before, now));
    const other =
      replaces !== undefined && (isNew || before.state === 'off')
        ? await findOtherSubscription(transaction, source, readSubscriptionId(replaces)?.id ?? null)
        : undefined;
    const replaced = other?.number === before.number ? undefined : other;
    await restartSubscription(transaction, before);
    const dropped = skips ? await dropJobs(transaction, before.number) : undefined;
    // Waiting events may have come to this target with another key: a job leaves those out.
    const isBack = replaced?.target_url === before.target_url && !isNew && !skips;
    const position = skips || isBack ? higherPosition(before.position, end) : before.position;
    const skippedFrom = lowest([
      before.skipped_from,
      dropped,
      skips && position !== before.position ? before.position : undefined,
    ]);
    const reached = lowerPosition(skippedFrom ?? before.position, before.position);
    const wants = updateWants(before, [...new Set(wanted.events)], { end, reached });
    const row = await transaction
      .updateTable('subscription')
      .set({
        ...wants,
        position,
        skipped_from: catchUp === true ? null : (skippedFrom ?? null),
        ...(skips && { skipping_start: before.starts }),
        ...(catchUp === true && { skipping_start: 0 }),
        state: 'active',
        off_reason: null,
        stopped_at: null,
        ...(name !== undefined && { name }),
        ...(maxConcurrency !== undefined && { max_concurrency: maxConcurrency }),
      })
      .where('number', '=', before.number)
      .returningAll()
      .executeTakeFirstOrThrow();
    const givesUp = removedEventNames(before.events, row.events).length > 0;
    if (givesUp) await limitJobs(transaction, row);
    if (catchUp === true && skippedFrom !== undefined) {
      await addJob(transaction, missingJob(row, skippedFrom, before.position));
    }
    if (replaced) {
      const isOver = isLate(replaced, now) && catchUp !== true;
      for (const job of isOver ? [] : jobsToTakeOver(row, replaced, end))
        await addJob(transaction, job);
    }
    if (isBack) {
      const backlog = missingJob(row, before.position, position);
      await addJob(transaction, backlog);
      await leaveToOther(transaction, row.number, replaced.number);
    }
    const endThose = (how: Ending) => endPending(transaction, row.number, how);
    if (skips) await endThose({ state: 'dead', reason: reasonUnsubscribed });
    if (catchUp === true) await startPending(transaction, row, now);
    const isUnwanted = sql`NOT ${sql.raw(sqlNamesForType('event.type'))} && ${row.events}::text[]`;
    if (givesUp) await endThose({ state: 'dead', reason: reasonNotDesired, only: isUnwanted });
    if (isBack)
      await endThose({ state: 'ignored', reason: 'duplicate', only: hasHad(replaced.number) });
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

function lowest(positions: readonly (string | null | undefined)[]): string | undefined {
  const known = positions.filter((one) => one !== null && one !== undefined);
  return known.length === 0 ? undefined : known.reduce(lowerPosition);
}

/** Whether its subscriber ended it too long ago to continue where it stopped. */
function isLate({ off_reason, stopped_at }: Subscription, now: number): boolean {
  return off_reason === 'unsubscribed' && now - Number(stopped_at) > resubscribeGraceMs;
}

/** Takes the next generation, and returns the row as it was before, or as it is created. */
async function lockRow(
  db: Kysely<Tables>,
  { source, token, targetUrl, events }: Subscribing,
  end: string,
  now: number,
): Promise<Subscription> {
  const wants = updateWants({ events: [], since: [] }, events, { end, reached: end });
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
      conflict.columns(['token_number', 'target_url']).doUpdateSet({
        generation: sql`subscription.generation + 1`,
        starts: sql`subscription.starts + 1`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

const isChosen = sql`(delivery.source_number, delivery.position, delivery.subscription_number)
  = (chosen.source_number, chosen.position, chosen.subscription_number)`;

interface Ending {
  readonly state: 'dead' | 'ignored';
  readonly reason: string;
  /** SQL for those to end. Default: all. */
  readonly only?: RawBuilder<unknown>;
}

/** Ends pending deliveries of a subscription, locked by position like those of results. */
async function endPending(db: Kysely<Tables>, number: number, { state, reason, only }: Ending) {
  await sql`WITH chosen AS MATERIALIZED (
      SELECT delivery.source_number, delivery.position, delivery.subscription_number FROM delivery
      JOIN event ON event.source_number = delivery.source_number AND event.position = delivery.position
      WHERE delivery.subscription_number = ${number} AND delivery.state = 'pending'
        ${sqlIf(only, (condition) => sql`AND ${condition}`)}
      ORDER BY delivery.position FOR NO KEY UPDATE OF delivery
    )
    UPDATE delivery SET state = ${state}, reason = ${reason}, next_at = NULL
    FROM chosen WHERE ${isChosen}`.execute(db);
}

/** Continues the deliveries that it wants, since it catches up. */
async function startPending(
  db: Kysely<Tables>,
  { number, events, since }: Subscription,
  now: number,
): Promise<void> {
  await sql`
    WITH chosen AS MATERIALIZED (
      SELECT delivery.source_number, delivery.position, subscription_number FROM delivery
      JOIN event ON event.source_number = delivery.source_number AND event.position = delivery.position
      WHERE subscription_number = ${number} AND state = 'dead' AND reason = ${reasonUnsubscribed}
        AND ${sqlIsDesired({ events, since })}
      ORDER BY delivery.position FOR NO KEY UPDATE OF delivery
    )
    UPDATE delivery SET state = 'pending', reason = NULL, next_at = ${new Date(now)}
    FROM chosen WHERE ${isChosen}`.execute(db);
}

/** Its own jobs leave out what has come to the one that it replaces. */
async function leaveToOther(db: Kysely<Tables>, number: number, other: number): Promise<void> {
  await sql`UPDATE job SET kind = 'of', of_number = ${other}
    WHERE subscription_number = ${number} AND kind = 'missing'`.execute(db);
}

/** SQL for an event that another subscription has had. */
const hasHad = (other: number) => sql`EXISTS (
  SELECT FROM delivery AS had
  WHERE had.source_number = event.source_number AND had.position = event.position
    AND had.subscription_number = ${other} AND ${sql.raw(sqlIsDelivered('had'))})`;

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
