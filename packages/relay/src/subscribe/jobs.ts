import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { JobTable, SubscriptionTable } from '../log/database/subscription-tables.ts';
import type { Tables } from '../log/database/tables.ts';
import { wantsOfBoth } from '../log/database/wants.ts';
import { isDesiredByJob, nextOfJob } from './job-scan.ts';

/** Requests count up to this many of what they start. */
const maxCounted = 2_000;

/** What a job is to do, from a position on. */
export type NewJob = Omit<Insertable<JobTable>, 'start'>;

/**
 * Adds a job, which the subscription's sender carries out. If the same one is not done yet, that one
 * continues to the later end. It replaces those of its kind that lie within its bounds.
 */
export async function addJob(db: Kysely<Tables>, job: NewJob): Promise<void> {
  const { kind, subscription_number, of_number, position, until } = job;
  const { states = [], events = [], since = [], positions = [] } = job;
  if (BigInt(position) >= BigInt(until)) return;
  const same = sql<boolean>`subscription_number = ${subscription_number} AND of_number = ${of_number}
    AND kind = ${kind} AND positions = ${positions}::bigint[]
    AND (events, since) = (${events}::text[], ${since}::bigint[])`;
  const isContinued = await db
    .updateTable('job')
    .set({ until: sql`greatest(until, ${until}::bigint)` })
    .where(same)
    .where(sql<boolean>`states = ${states}::text[]`)
    .where('start', '=', position)
    .returning('number')
    .executeTakeFirst();
  if (isContinued) return;
  await db
    .deleteFrom('job')
    .where(same)
    .where(sql<boolean>`states <@ ${states}::text[]`)
    .where('position', '>=', position)
    .where('until', '<=', until)
    .execute();
  await db
    .insertInto('job')
    .values({ ...job, start: position })
    .execute();
}

/** What a job starts, counted up to a limit. */
export interface Counted {
  readonly count: number;
  /** Whether it looks at more than these. */
  readonly hasMore: boolean;
}

/** Counts what the sender would find to deliver, in the first step. */
export async function countJob(db: Kysely<Tables>, job: NewJob): Promise<Counted> {
  const { kind, subscription_number, of_number, position, until } = job;
  const { states = [], events = [], since = [], positions = [] } = job;
  const { rows } = await sql<{ count: number; hasMore: boolean }>`
    SELECT count(event.type)::integer AS count, bool_or(read.until < job.until) AS "hasMore"
    FROM (
      SELECT ${kind}::text AS kind, ${of_number}::integer AS of_number, ${states}::text[] AS states,
        ${events}::text[] AS events, ${since}::bigint[] AS since, ${positions}::bigint[] AS positions,
        ${position}::bigint AS position, ${until}::bigint AS until
    ) AS job
    JOIN subscription ON subscription.number = ${subscription_number}
    CROSS JOIN LATERAL (${sql.raw(nextOfJob(maxCounted))}) AS read
    LEFT JOIN LATERAL (
      SELECT type FROM event
      WHERE source_number = subscription.source_number AND position = read.position
        AND body IS NOT NULL AND ${sql.raw(isDesiredByJob)}
      OFFSET 0
    ) AS event ON true`.execute(db);
  const [{ count, hasMore } = { count: 0, hasMore: false }] = rows;
  return { count, hasMore };
}

/** Adds the jobs that may find something, and counts what they find together. */
export async function startJobs(db: Kysely<Tables>, jobs: readonly NewJob[]): Promise<Counted> {
  let total = 0;
  let mayHaveMore = false;
  for (const job of jobs) {
    const { count, hasMore } = await countJob(db, job);
    if (count > 0 || hasMore) await addJob(db, job);
    total += count;
    mayHaveMore ||= hasMore;
  }
  return { count: Math.min(total, maxCounted), hasMore: mayHaveMore || total > maxCounted };
}

type Subscription = Selectable<SubscriptionTable>;

/** Delivers what it wants, and has no delivery of, between two positions. */
export function missingJob(
  { number, events, since }: Pick<Subscription, 'number' | 'events' | 'since'>,
  position: string,
  until: string,
): NewJob {
  const job = { kind: 'missing', subscription_number: number, of_number: number } as const;
  return { ...job, events, since, position, until };
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
 * Deliver what another subscription still had to get, of the types that both want: what is pending
 * there, what died because it stopped, what follows its position, and what its own jobs have not
 * reached, which may be of one that it replaces itself.
 */
export async function jobsOf(
  db: Kysely<Tables>,
  { number, events }: Pick<Subscription, 'number' | 'events'>,
  other: Pick<Subscription, 'number' | 'events' | 'since' | 'position'>,
  until: string,
): Promise<readonly NewJob[]> {
  const left = await db
    .selectFrom('job')
    .selectAll()
    .where('subscription_number', '=', other.number)
    .where('kind', 'in', ['missing', 'of'])
    .where('of_number', '<>', number)
    .execute();
  const jobs = left.map(
    ({ number: _, start: __, ...job }): NewJob => ({
      ...job,
      kind: 'of',
      subscription_number: number,
    }),
  );
  const both = wantsOfBoth(other, other.position, events);
  if (both.events.length === 0) return jobs;
  const states: NewJob['states'] = ['pending', 'dead'];
  const own = { kind: 'of', subscription_number: number, of_number: other.number, states } as const;
  return [...jobs, { ...own, ...both, position: '0', until }];
}
