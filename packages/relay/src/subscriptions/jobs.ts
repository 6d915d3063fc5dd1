import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { JobTable, SubscriptionTable } from '../database/subscription-tables.ts';
import type { Tables } from '../database/tables.ts';
import { wantsOfBoth } from '../database/wants.ts';

/** Requests count up to this many of what they start. */
export const mostCounted = 2_000;

export type NewJob = Insertable<JobTable>;

/**
 * Adds a job, which the subscription's sender carries out. It replaces those of the same kind within
 * its bounds.
 */
export async function addJob(db: Kysely<Tables>, job: NewJob): Promise<void> {
  const { kind, subscription_number, of_number, position, until } = job;
  const { states = [], events = [], since = [] } = job;
  if (BigInt(position) >= BigInt(until)) return;
  await db
    .deleteFrom('job')
    .where('subscription_number', '=', subscription_number)
    .where('of_number', '=', of_number)
    .where('kind', '=', kind)
    .where(sql<boolean>`states <@ ${states}::text[]`)
    .where(sql<boolean>`(events, since) = (${events}::text[], ${since}::bigint[])`)
    .where('position', '>=', position)
    .where('until', '<=', until)
    .execute();
  await db.insertInto('job').values(job).execute();
}

type Subscription = Selectable<SubscriptionTable>;

/** Delivers what it wants, and has no delivery of, between two positions. */
export async function addMissing(
  db: Kysely<Tables>,
  { number, events, since }: Pick<Subscription, 'number' | 'events' | 'since'>,
  position: string,
  until: string,
): Promise<void> {
  const job = { kind: 'missing', subscription_number: number, of_number: number } as const;
  await addJob(db, { ...job, events, since, position, until });
}

/** Takes from the jobs of a subscription what it wants no more. */
export async function limitJobs(
  db: Kysely<Tables>,
  { number, events }: Pick<Subscription, 'number' | 'events'>,
): Promise<void> {
  const jobs = await db
    .selectFrom('job')
    .select(['number', 'events', 'since'])
    .where('subscription_number', '=', number)
    .where('kind', 'in', ['missing', 'of'])
    .execute();
  for (const job of jobs) {
    const wants = wantsOfBoth(job, '0', events);
    await db.updateTable('job').set(wants).where('number', '=', job.number).execute();
  }
}

/**
 * Delivers what another subscription still had to get, of the types that both want: what is pending
 * there, what died because it stopped, what follows its position, and what its own jobs have not
 * reached, which may be of one that it replaces itself.
 */
export async function addJobOf(
  db: Kysely<Tables>,
  { number, events }: Pick<Subscription, 'number' | 'events'>,
  other: Pick<Subscription, 'number' | 'events' | 'since' | 'position'>,
  until: string,
): Promise<void> {
  const left = await db
    .selectFrom('job')
    .selectAll()
    .where('subscription_number', '=', other.number)
    .where('kind', 'in', ['missing', 'of'])
    .where('of_number', '<>', number)
    .execute();
  for (const { number: _, ...job } of left) {
    await addJob(db, { ...job, kind: 'of', subscription_number: number });
  }
  const both = wantsOfBoth(other, other.position, events);
  if (both.events.length === 0) return;
  await addJob(db, {
    kind: 'of',
    subscription_number: number,
    of_number: other.number,
    states: ['pending', 'dead'],
    ...both,
    position: '0',
    until,
  });
}

/** How many deliveries a job covers, counted up to a limit. */
export async function countDeliveries(
  db: Kysely<Tables>,
  { of_number, states, position, until }: NewJob,
): Promise<{ readonly count: number; readonly hasMore: boolean }> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (
      SELECT FROM unnest(${states}::text[]) AS wanted (state) CROSS JOIN LATERAL (
        SELECT FROM delivery
        WHERE subscription_number = ${of_number} AND delivery.state = wanted.state
          AND position > ${position} AND position <= ${until}
        ORDER BY subscription_number, delivery.state, position LIMIT ${mostCounted + 1}
      ) AS one LIMIT ${mostCounted + 1}
    ) AS found`.execute(db);
  const { count = 0 } = rows[0] ?? {};
  return { count: Math.min(count, mostCounted), hasMore: count > mostCounted };
}
