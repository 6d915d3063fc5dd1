import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { deadWhenStoppedReasons } from '../base/stored-values.ts';
import type { JobTable, SubscriptionTable, Tables } from '../base/tables.ts';
import { commonWants, sqlNamesForType } from '../log/wants.ts';

type Subscription = Selectable<SubscriptionTable>;
type Job = Selectable<JobTable>;

export type NewJob = Insertable<JobTable>;

/** SQL for the kinds of jobs that deliver what has no delivery. */
const isForMissing = "job.kind IN ('missing', 'of')";

/** SQL for a delivery that its subscription still had to get when it stopped. */
const isLeft = (delivery: string): string => `(${delivery}.state = 'pending'
  OR ${delivery}.state = 'dead' AND ${delivery}.reason IN (${deadWhenStoppedReasons.map((one) => `'${one}'`).join()}))`;

/** SQL for a delivery that came to the target of its subscription. */
export const sqlIsDelivered = (delivery: string): string =>
  `${delivery}.state IN ('delivered', 'ignored')`;

/** Events, or deliveries that another subscription has left, of one step. */
const maxScanned = 2_000;

/**
 * The next events of the source, of whatever type, of which the job then reads those that it wants. One
 * type after the other, PostgreSQL sorts all that follows: 203 ms.
 */
const walked = `
  SELECT position, type FROM event
  WHERE ${isForMissing} AND job.events <> '{}' AND source_number = subscription.source_number
    AND position > greatest(job.position, (SELECT min(since) FROM unnest(job.since) AS since))
  ORDER BY source_number, position LIMIT ${maxScanned}`;

const isWalkedFor = `EXISTS (
  SELECT FROM unnest(job.events, job.since) AS wanted (name, since)
  WHERE wanted.name = ANY (${sqlNamesForType('walked.type')}) AND walked.position > wanted.since)`;

/** Deliveries in its states, state after state, so that each is found in order by the index. */
const deliveriesAfter = (most: number) => `
  SELECT one.* FROM unnest(job.states) AS wanted (state) CROSS JOIN LATERAL (
    SELECT position, attempts, attempts_since_replay, replays, next_at FROM delivery
    WHERE subscription_number = job.of_number AND state = wanted.state
      AND position > job.position AND position <= job.until
    ORDER BY subscription_number, state, position LIMIT ${most}
  ) AS one
  ORDER BY one.position LIMIT ${most}`;

/** The deliveries of chosen events, if they have one; one by one, whatever the size of the table. */
const chosenAfter = `
  SELECT chosen.position, coalesce(known.attempts, 0) AS attempts,
    coalesce(known.attempts_since_replay, 0), coalesce(known.replays, 0), known.next_at
  FROM unnest(job.positions) AS chosen (position)
  LEFT JOIN LATERAL (
    SELECT state, attempts, attempts_since_replay, replays, next_at FROM delivery
    WHERE source_number = subscription.source_number AND position = chosen.position
      AND subscription_number = job.of_number
    OFFSET 0
  ) AS known ON true
  WHERE chosen.position > job.position AND (job.kind = 'again' OR known.state = 'pending')`;

/**
 * SQL for the next deliveries of a `job` of a `subscription`: at most so many rows, at least one. Without
 * those that it has or, for a job of another subscription, that are done there. A job without states reads
 * the backlog of its subscription, so only what was delivered there counts. `until` is where the job is
 * after these rows, if they are fewer.
 */
export const sqlNextDeliveriesOfJob = (most: number): string => `
  WITH walked AS MATERIALIZED (${walked}),
  left_over AS MATERIALIZED (
    SELECT * FROM (${deliveriesAfter(maxScanned)}) AS one WHERE ${isForMissing}
  ), progress AS MATERIALIZED (
    SELECT least(job.until,
      (SELECT max(position) FROM walked HAVING count(*) = ${maxScanned}),
      (SELECT max(position) FROM left_over HAVING count(*) = ${maxScanned})) AS until
  ), scanned AS MATERIALIZED (
    SELECT position, max(attempts) AS attempts,
      max(attempts_since_replay) AS attempts_since_replay, max(replays) AS replays,
      max(next_at) AS next_at
    FROM (
      SELECT position, 0 AS attempts, 0 AS attempts_since_replay, 0 AS replays,
        NULL::timestamptz AS next_at
      FROM walked WHERE ${isWalkedFor}
      UNION ALL SELECT * FROM left_over
      UNION ALL SELECT * FROM (${deliveriesAfter(most)}) AS known WHERE NOT ${isForMissing}
      UNION ALL SELECT * FROM (${chosenAfter}) AS chosen
    ) AS one
    WHERE position <= (SELECT until FROM progress)
    GROUP BY position
  )
  SELECT progress.until, next.* FROM progress LEFT JOIN (
    SELECT scanned.* FROM scanned LEFT JOIN LATERAL (
      SELECT position FROM delivery
      WHERE ${isForMissing} AND source_number = subscription.source_number
        AND position = scanned.position
        AND subscription_number = ANY (ARRAY[subscription.number, job.of_number])
        AND (subscription_number = subscription.number
          OR CASE job.states WHEN '{}' THEN ${sqlIsDelivered('delivery')} ELSE NOT ${isLeft('delivery')} END)
      LIMIT 1
    ) AS known ON true
    WHERE known.position IS NULL ORDER BY scanned.position LIMIT ${most}
  ) AS next ON true`;

/** SQL for an event that both still want, unless a person asked for its delivery. */
export const sqlIsDesiredByJob = `(NOT ${isForMissing}
  OR subscription.events && ${sqlNamesForType('event.type')} AND job.events && ${sqlNamesForType('event.type')})`;

/** Requests count up to this many of what they start. */
const maxCounted = 2_000;

/** The deliveries that a job starts, counted up to a limit. */
export interface StartedCount {
  readonly count: number;
  readonly hasMore: boolean;
}

/** Counts what the sender would find to deliver, in the first step. */
export async function countJob(db: Kysely<Tables>, job: NewJob): Promise<StartedCount> {
  const { kind, subscription_number, of_number, position, until } = job;
  const { states = [], events = [], since = [], positions = [] } = job;
  const { rows } = await sql<{ count: number; hasMore: boolean }>`
    SELECT least(count(event.type), ${maxCounted})::integer AS count,
      bool_or(read.until < job.until) OR count(read.position) > ${maxCounted} AS "hasMore"
    FROM (
      SELECT ${kind}::text AS kind, ${of_number}::integer AS of_number, ${states}::text[] AS states,
        ${events}::text[] AS events, ${since}::bigint[] AS since, ${positions}::bigint[] AS positions,
        ${position}::bigint AS position, ${until}::bigint AS until
    ) AS job
    JOIN subscription ON subscription.number = ${subscription_number}
    CROSS JOIN LATERAL (${sql.raw(sqlNextDeliveriesOfJob(maxCounted + 1))}) AS read
    LEFT JOIN LATERAL (
      SELECT type FROM event
      WHERE source_number = subscription.source_number AND position = read.position
        AND body IS NOT NULL AND ${sql.raw(sqlIsDesiredByJob)}
      OFFSET 0
    ) AS event ON true`.execute(db);
  const [{ count, hasMore } = { count: 0, hasMore: false }] = rows;
  return { count, hasMore };
}

/**
 * Adds a job, which the subscription's sender carries out. It replaces those of its kind that are not
 * done and lie within it: asked for the same again, the sender begins again, with what it then finds.
 */
export async function addJob(db: Kysely<Tables>, job: NewJob): Promise<void> {
  const { kind, subscription_number, of_number, position, until } = job;
  const { states = [], events = [], since = [], positions = [] } = job;
  if (BigInt(position) >= BigInt(until)) return;
  await sql`
    DELETE FROM job
    WHERE subscription_number = ${subscription_number} AND of_number = ${of_number} AND kind = ${kind}
      AND position >= ${position} AND until <= ${until} AND states <@ ${states}::text[]
      AND (events, since) = (${events}::text[], ${since}::bigint[])
      AND positions <@ ${positions}::bigint[] AND (positions = '{}') = (${positions}::bigint[] = '{}')`.execute(
    db,
  );
  await db.insertInto('job').values(job).execute();
}

/** Adds the jobs that may find something, and counts what they find together. */
export async function startJobs(
  db: Kysely<Tables>,
  jobs: readonly NewJob[],
): Promise<StartedCount> {
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

/** Delivers what it wants, and has no delivery of, between two positions. */
export function missingJob(
  { number, events, since }: Pick<Subscription, 'number' | 'events' | 'since'>,
  position: string,
  until: string,
): NewJob {
  const job = { kind: 'missing', subscription_number: number, of_number: number } as const;
  return { ...job, events, since, position, until };
}

/**
 * Takes from the jobs of a subscription what it wants no more, so that a type which it adds later does
 * not come back into them.
 */
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
    const wants = commonWants(job, '0', events);
    await db.updateTable('job').set(wants).where('number', '=', job.number).execute();
  }
}

/**
 * For a subscription that skips what waits: none of it comes later, by whatever request. Returns from
 * where it skips, if it had still to look for events.
 */
export async function dropJobs(db: Kysely<Tables>, number: number): Promise<string | undefined> {
  const { rows } = await sql<{ position: string | null }>`
    WITH job AS (DELETE FROM job WHERE subscription_number = ${number} RETURNING *)
    SELECT min(position) FILTER (WHERE ${sql.raw(isForMissing)}) AS position FROM job`.execute(db);
  return rows[0]?.position ?? undefined;
}

/** Another subscription, with what its own jobs have not reached, as of one moment. */
export interface OtherSubscription extends Subscription {
  readonly jobs: readonly Job[];
}

/** Those that have ended are read, too. In one statement: what a job finished meanwhile would be lost. */
export async function findOtherSubscription(
  db: Kysely<Tables>,
  source: number,
  id: string | null,
): Promise<OtherSubscription | undefined> {
  const { rows } = await sql<OtherSubscription>`
    SELECT subscription.*, coalesce((
      SELECT jsonb_agg(to_jsonb(job) || jsonb_build_object('position', job.position::text,
        'until', job.until::text, 'since', job.since::text[], 'positions', job.positions::text[]))
      FROM job WHERE job.subscription_number = subscription.number AND ${sql.raw(isForMissing)}
    ), '[]') AS jobs
    FROM subscription WHERE id = ${id}::uuid AND source_number = ${source}`.execute(db);
  return rows[0];
}

/**
 * Deliver what another subscription still had to get, of the types that both want now: what is pending
 * there, what died because it stopped, what follows its position, and what its own jobs have not
 * reached, which may be of one that it replaces itself.
 */
export function jobsToTakeOver(
  { number, events }: Pick<Subscription, 'number' | 'events'>,
  other: OtherSubscription,
  until: string,
): readonly NewJob[] {
  const copies = other.jobs.map(({ number: _, ...job }) => ({
    ...job,
    ...commonWants(job, '0', events),
  }));
  const both = commonWants(other, other.position, events);
  const states: NewJob['states'] = ['pending', 'dead'];
  return [...copies, { of_number: other.number, states, ...both, position: '0', until }].flatMap(
    (job): NewJob | [] => {
      if (job.events.length === 0) return [];
      const own = { ...job, subscription_number: number };
      // The other one leaves out the events that this one has had.
      return job.of_number === number
        ? { ...own, kind: 'missing', states: [] }
        : { ...own, kind: 'of' };
    },
  );
}
