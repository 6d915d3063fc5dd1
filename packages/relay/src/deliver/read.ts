import type { Pool } from 'pg';
import type { SealedSecrets } from '../base/secrets.ts';
import { BatchedStatement, preparedStatement, rowsToColumns } from '../base/statements.ts';
import { reasonErased } from '../base/stored-values.ts';
import { sqlDesiredEventsAfter, sqlIsActive } from '../log/wants.ts';
import { sqlIsDesiredByJob, sqlNextDeliveriesOfJob } from '../subscribe/jobs.ts';

/** A subscription that this process alone delivers to at the moment. */
export interface LeasedSubscription extends SealedSecrets, DueSources {
  readonly source: number;
  readonly subscription: number;
  /** How often it was started: what this sender learns counts only for this one. */
  readonly starts: number;
  readonly name: string | null;
  readonly targetUrl: string;
  readonly failingSince: Date | null;
  readonly failedAt: Date | null;
  readonly failuresInARow: number;
  readonly maxConcurrency: number;
  /** In milliseconds of this process's monotonic clock. */
  readonly leasedUntil: number;
}

/** Sources that may have something to attempt. The claim says which to ask first. */
export interface DueSources {
  readonly isBehind: boolean;
  readonly hasRetry: boolean;
  readonly hasJob: boolean;
}

/** One event to attempt to deliver to a subscription. */
export interface DueDelivery {
  readonly position: string;
  readonly event: string;
  readonly type: string;
  readonly body: Buffer;
  readonly attempts: number;
  readonly attemptsSinceReplay: number;
  /** How often a person asked for it, this time included. */
  readonly replays: number;
  /** When its schedule has the next attempt; null for one that begins a schedule. */
  readonly nextAt: Date | null;
}

/** A reader of a subscription, by number: of the log, or a job. */
interface Reader {
  readonly kind: 'log' | 'job';
  readonly number: string;
  readonly subscription: number;
  readonly starts: number;
}

/** Everything up to `to` has been attempted. It applies only while the reader is still at `from`. */
export interface ReaderMove extends Reader {
  readonly from: string;
  readonly to: string;
}

/** An event that a reader attempts, or skips. */
interface Step {
  readonly position: string;
  /** Undefined for an event that has a delivery already, or is not wanted. */
  readonly due: DueDelivery | undefined;
}

/** Moves a reader on, in order, whatever the order in which its events are attempted. */
class Progress {
  readonly due: readonly DueDelivery[];
  readonly #reader: Reader;
  readonly #steps: readonly Step[];
  readonly #end: string;
  readonly #done = new Set<DueDelivery>();
  #position: string;
  #next = 0;

  /** `end`: where the reader is after the last step. */
  constructor(reader: Reader, from: string, steps: readonly Step[], end: string) {
    this.due = steps.flatMap(({ due }) => due ?? []);
    this.#reader = reader;
    this.#position = from;
    this.#steps = steps;
    this.#end = end;
  }

  /** The move after this attempt, or after none: nothing while an earlier one is still running. */
  after(due?: DueDelivery): readonly ReaderMove[] {
    if (due) this.#done.add(due);
    const from = this.#position;
    for (let step = this.#steps[this.#next]; step; step = this.#steps[this.#next]) {
      if (step.due && !this.#done.has(step.due)) break;
      this.#position = step.position;
      this.#next += 1;
    }
    if (this.#next === this.#steps.length) this.#position = this.#end;
    const to = this.#position;
    return from === to ? [] : [{ ...this.#reader, from, to }];
  }
}

/** Events of each reading. */
const maxRead = 200;
/** Their bodies together have at most so many, unless the first one is larger. */
const maxBytes = 128 * 1024;

interface Asked {
  readonly subscriptions: readonly number[];
  readonly starts: readonly number[];
  readonly most: readonly number[];
  readonly owner: string;
  readonly now: Date;
}

/**
 * The subscriptions to read for. A sender that lost its lease, whose token was revoked, or that claimed
 * the subscription before it was started again, gets nothing.
 */
const asked = `
FROM unnest(:subscriptions::integer[], :starts::integer[], :most::integer[])
  WITH ORDINALITY AS asked (subscription, starts, most, nth)
JOIN lease AS held ON held.subscription_number = asked.subscription AND held.owner = :owner
JOIN subscription ON subscription.number = asked.subscription AND ${sqlIsActive}
  AND subscription.starts = asked.starts
JOIN token ON token.number = subscription.token_number AND token.revoked_at IS NULL`;

/**
 * Limited before events are joined, by a constant, and joined one by one: a backlog may be large. Null
 * if it was pruned or erased.
 */
const eventOf = (position: string) => `
LEFT JOIN LATERAL (
  SELECT id, type, body FROM event
  WHERE source_number = subscription.source_number AND position = ${position} AND body IS NOT NULL
  OFFSET 0
) AS event ON true`;

/** Null after as many bodies, or bytes, as one reading may have. */
const bodyInOrder = `
  CASE WHEN sum(octet_length(event.body)) OVER reading - octet_length(event.body) < ${maxBytes}
    AND count(event.body) OVER reading <= asked.most THEN event.body END AS body,
  event.id AS event, event.type`;
const readingBy = (order: string) =>
  `WINDOW reading AS (PARTITION BY asked.nth ORDER BY ${order})
ORDER BY asked.nth, ${order}`;

/** Pending deliveries whose next attempt is due, earliest first. */
const retries = preparedStatement<Asked>(
  'read-retries',
  `
SELECT asked.nth::integer, due.*, ${bodyInOrder}
${asked}
CROSS JOIN LATERAL (
  SELECT position, attempts, attempts_since_replay AS "attemptsSinceReplay", replays, next_at AS "nextAt"
  FROM delivery
  WHERE subscription_number = asked.subscription AND state = 'pending' AND next_at <= :now
  ORDER BY next_at, position LIMIT ${maxRead}
) AS due
${eventOf('due.position')}
${readingBy('due."nextAt", due.position')}`,
);

/**
 * The log after the position of each subscription, and its end: one row without an event if nothing
 * follows that it wants. What the subscription has already is looked up one by one: a plan from when the
 * table was empty would read all deliveries each time.
 */
const log = preparedStatement<Asked>(
  'read-log',
  `
SELECT asked.nth::integer, subscription.position AS "from", read.position, ${bodyInOrder},
  own.position IS NOT NULL AS "isKnown", 0 AS attempts, 0 AS "attemptsSinceReplay", 0 AS replays,
  NULL::timestamptz AS "nextAt", greatest(subscription.position, newest.position) AS until
${asked}
LEFT JOIN LATERAL (
  SELECT position FROM event WHERE source_number = subscription.source_number
  ORDER BY source_number DESC, position DESC LIMIT 1
) AS newest ON true
LEFT JOIN LATERAL (${sqlDesiredEventsAfter(maxRead)}) AS read ON true
${eventOf('read.position')}
LEFT JOIN LATERAL (
  SELECT position FROM delivery
  WHERE source_number = subscription.source_number AND position = read.position
    AND subscription_number = subscription.number
  OFFSET 0
) AS own ON true
${readingBy('read.position')}`,
);

/**
 * The next of one job of each subscription: of its retries first, then of those of single events, then of
 * the oldest one. One row without a position if it has no more. `until` is where it is once it has
 * attempted them. It skips what the subscription does not want, unless a person asked for these deliveries.
 */
const jobs = preparedStatement<Asked>(
  'read-jobs',
  `
SELECT asked.nth::integer, job.number, job.position AS "from", read.until, read.position,
  ${bodyInOrder}, NOT ${sqlIsDesiredByJob} AS "isKnown",
  CASE WHEN job.kind IN ('again', 'retry') THEN read.attempts ELSE 0 END AS attempts,
  CASE job.kind WHEN 'retry' THEN read.attempts_since_replay ELSE 0 END AS "attemptsSinceReplay",
  CASE job.kind WHEN 'retry' THEN read.next_at END AS "nextAt",
  CASE job.kind WHEN 'again' THEN read.replays + 1 ELSE read.replays END AS replays
${asked}
CROSS JOIN LATERAL (
  SELECT * FROM job WHERE subscription_number = asked.subscription
  ORDER BY kind <> 'retry', positions = '{}', number LIMIT 1
) AS job
CROSS JOIN LATERAL (${sqlNextDeliveriesOfJob(maxRead)}) AS read
${eventOf('read.position')}
${readingBy('read.position')}`,
);

interface Read {
  readonly nth: number;
  readonly position: string | null;
  readonly event: string | null;
}

type Row = Omit<DueDelivery, 'body'> & { readonly nth: number; readonly body: Buffer | null };

/** Without a position after the last one. */
type OrderedRow = Omit<Row, 'position'> & {
  readonly position: string | null;
  readonly isKnown: boolean;
  readonly from: string;
  readonly until: string;
};

/** The next deliveries of a subscription, from one of its sources. */
interface Reading {
  readonly due: readonly DueDelivery[];
  /** Retries have none. */
  readonly progress?: Progress;
  /** Whether it was too long to be read whole. */
  readonly isCut: boolean;
  readonly hasMore: boolean;
}

const nothing: Reading = { due: [], isCut: false, hasMore: false };

/** An event to attempt, and where its readers are afterwards. */
export interface DeliveryTask {
  readonly due: DueDelivery;
  after(): readonly ReaderMove[];
}

interface Batch {
  readonly tasks: readonly DeliveryTask[];
  /** Past what needs no attempt. */
  readonly moves: readonly ReaderMove[];
  readonly isCut: boolean;
  readonly hasMore: boolean;
}

interface Question {
  readonly lease: LeasedSubscription;
  readonly most: number;
}

/** Subscriptions that are read in the same tick share a statement. */
const maxLeases = 50;

/** Reads what to attempt next, for the subscriptions that this process delivers to. */
export class DueDeliveryReaders {
  readonly #retries: BatchedStatement<Question, Reading>;
  readonly #log: BatchedStatement<Question, Reading>;
  readonly #jobs: BatchedStatement<Question, Reading>;

  constructor(pool: Pool, clock: { now(): number }, owner: string) {
    const batches = <One extends Read>(
      statement: typeof retries,
      read: (rows: readonly One[], lease: LeasedSubscription) => Reading,
    ) => {
      const run = async (questions: readonly Question[]) => {
        const { rows } = await pool.query<One>(
          statement({
            owner,
            now: new Date(clock.now()),
            subscriptions: questions.map(({ lease }) => lease.subscription),
            starts: questions.map(({ lease }) => lease.starts),
            most: questions.map(({ most }) => most),
          }),
        );
        if (statement === retries) await endErased(pool, questions, rows);
        const byNth = Map.groupBy(rows, ({ nth }) => nth);
        return questions.map(({ lease }, index) => {
          const own = byNth.get(index + 1);
          return own ? read(own, lease) : nothing;
        });
      };
      return new BatchedStatement(run, { most: maxLeases });
    };
    this.#retries = batches(retries, readRetries);
    this.#log = batches(log, (rows: readonly OrderedRow[], { subscription, starts }) =>
      readInOrder({ kind: 'log', number: String(subscription), subscription, starts }, rows),
    );
    this.#jobs = batches(
      jobs,
      (rows: readonly (OrderedRow & { number: string })[], { subscription, starts }) => {
        const number = rows[0]?.number ?? '';
        const reading = readInOrder({ kind: 'job', number, subscription, starts }, rows);
        // Another job may follow.
        return { ...reading, hasMore: true };
      },
    );
  }

  /**
   * Takes from these sources in turn, so that none of them waits for another to end: up to so many
   * of each.
   */
  async next(lease: LeasedSubscription, from: DueSources, most = maxRead): Promise<Batch> {
    const question = { lease, most };
    const readings = await Promise.all([
      from.hasRetry ? this.#retries.add(question) : nothing,
      from.isBehind ? this.#log.add(question) : nothing,
      from.hasJob ? this.#jobs.add(question) : nothing,
    ]);
    const tasks = new Map<string, DeliveryTask>();
    const longest = Math.max(...readings.map(({ due }) => due.length));
    for (let nth = 0; nth < longest; nth += 1) {
      for (const { due, progress } of readings) {
        const one = due[nth];
        if (!one) continue;
        // One attempt of an event that two readers read moves both.
        const known = tasks.get(one.position);
        tasks.set(one.position, {
          // A redelivery has a new ID and schedule.
          due: known && known.due.replays >= one.replays ? known.due : one,
          after: () => [...(known?.after() ?? []), ...(progress?.after(one) ?? [])],
        });
      }
    }
    return {
      tasks: [...tasks.values()],
      moves: readings.flatMap(({ progress }) => progress?.after() ?? []),
      isCut: readings.some(({ isCut }) => isCut),
      hasMore: readings.some(({ hasMore }) => hasMore),
    };
  }
}

/** Ends retries of events whose erasure is under way: it may not have come to them. */
async function endErased(pool: Pool, questions: readonly Question[], rows: readonly Read[]) {
  const erased = rows.filter(({ event }) => event === null);
  if (erased.length === 0) return;
  await pool.query(
    `WITH chosen AS MATERIALIZED (
      SELECT source_number, delivery.position, subscription_number
      FROM unnest($1::integer[], $2::bigint[]) AS erased (subscription, position)
      JOIN delivery ON delivery.subscription_number = erased.subscription
        AND delivery.state = 'pending' AND delivery.position = erased.position
      ORDER BY delivery.position, subscription_number FOR NO KEY UPDATE OF delivery
    )
    UPDATE delivery SET state = 'dead', reason = '${reasonErased}', next_at = NULL FROM chosen
    WHERE (delivery.source_number, delivery.position, delivery.subscription_number)
      = (chosen.source_number, chosen.position, chosen.subscription_number)`,
    rowsToColumns(
      erased.map(({ nth, position }) => [questions[nth - 1]?.lease.subscription, position]),
    ),
  );
}

function readRetries(rows: readonly Row[]): Reading {
  const read = whole(rows);
  const isCut = rows.length === maxRead || read.length < rows.length;
  return { due: read.flatMap(dueOf), isCut, hasMore: isCut };
}

/** Once nothing follows, the reader is at the end of what it has read: see `until` of the statements. */
function readInOrder(reader: Reader, all: readonly OrderedRow[]): Reading {
  const [{ from, until }] = all as readonly [OrderedRow];
  const rows = all.flatMap(({ position, ...row }) => (position ? { ...row, position } : []));
  const steps = whole(rows).map(
    (row): Step => ({ position: row.position, due: row.isKnown ? undefined : dueOf(row)[0] }),
  );
  const isAll = steps.length === rows.length && rows.length < maxRead;
  const last = steps.at(-1)?.position ?? from;
  const progress = new Progress(reader, from, steps, isAll ? until : last);
  return { due: progress.due, progress, isCut: !isAll, hasMore: !isAll };
}

/** Up to the first event whose body was not read. */
function whole<One extends Row>(rows: readonly One[]): readonly One[] {
  const cut = rows.findIndex(({ event, body }) => event !== null && body === null);
  return cut < 0 ? rows : rows.slice(0, cut);
}

function dueOf({ nth: _, body, ...row }: Row): readonly DueDelivery[] {
  return body === null ? [] : [{ ...row, body }];
}
