import type { Pool } from 'pg';
import type { RelayContext } from '../context.ts';
import { asColumns, Batches } from '../log/database/batches.ts';
import { reasonNotDesired } from '../subscribe/dead-reasons.ts';
import type { Lease } from './leases.ts';
import { batchSize, jobStatement, logStatement, retryStatement } from './read-statements.ts';
import { type Due, Progress, type Reader, type Step } from './work.ts';

/** What is next for a subscription. */
export interface Reading {
  readonly due: readonly Due[];
  /** Of a reader with a position; retries have none. */
  readonly progress?: Progress;
  /** Whether more may follow. */
  readonly hasMore: boolean;
}

type Row = Omit<Due, 'body'> & { readonly nth: number; readonly body: Buffer | null };

type RetryRow = Row & { readonly isUnwanted: boolean | null };

/** Without a position after the last one. */
type OrderedRow = Omit<Row, 'position'> & {
  readonly position: string | null;
  readonly isKnown: boolean;
  readonly from: string;
  readonly until: string;
};

type JobRow = OrderedRow & { readonly number: string };

interface More<One> {
  /** Further values of the statement. */
  readonly values?: () => readonly unknown[];
  readonly afterwards?: (leases: readonly Lease[], rows: readonly One[]) => Promise<void>;
}

/** Subscriptions that are read in the same tick share a statement. */
const maxLeases = 50;

const nothing: Reading = { due: [], hasMore: false };

/** Reads what to attempt next, for the subscriptions that this process delivers to. */
export class Readers {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #retries: Batches<Lease, Reading>;
  readonly #log: Batches<Lease, Reading>;
  readonly #jobs: Batches<Lease, Reading>;

  constructor({ pool, clock }: Pick<RelayContext, 'pool' | 'clock'>, owner: string) {
    this.#pool = pool;
    this.#owner = owner;
    this.#retries = this.#batches('read-retries', retryStatement, readRetries, {
      values: () => [new Date(clock.now())],
      afterwards: (leases, rows: readonly RetryRow[]) => this.#settle(leases, rows),
    });
    this.#log = this.#batches('read-log', logStatement, readLog);
    this.#jobs = this.#batches('read-jobs', jobStatement, readJob);
  }

  /** Pending deliveries that are due. */
  retries(lease: Lease): Promise<Reading> {
    return this.#retries.add(lease);
  }

  /** What the subscription has not read of the log. */
  log(lease: Lease): Promise<Reading> {
    return this.#log.add(lease);
  }

  /** The next of its oldest job. */
  job(lease: Lease): Promise<Reading> {
    return this.#jobs.add(lease);
  }

  #batches<One extends Row | OrderedRow>(
    name: string,
    text: string,
    read: (rows: readonly One[], lease: Lease) => Reading,
    { values = () => [], afterwards }: More<One> = {},
  ): Batches<Lease, Reading> {
    const run = async (leases: readonly Lease[]) => {
      const subscriptions = leases.map(({ subscription }) => subscription);
      const generations = leases.map(({ generation }) => generation);
      const query = { name, text, values: [subscriptions, this.#owner, generations, ...values()] };
      const { rows } = await this.#pool.query<One>(query);
      await afterwards?.(leases, rows);
      const byNth = Map.groupBy(rows, ({ nth }) => nth);
      return leases.map((lease, index) => {
        const own = byNth.get(index + 1);
        return own ? read(own, lease) : nothing;
      });
    };
    return new Batches(run, { most: maxLeases });
  }

  async #settle(leases: readonly Lease[], rows: readonly RetryRow[]): Promise<void> {
    const run = async (text: string, these: readonly Row[]) => {
      if (these.length === 0) return;
      const keys = these.map(({ nth, position }) => [leases[nth - 1]?.subscription, position]);
      await this.#pool.query(text, asColumns(keys));
    };
    await run(
      forget,
      rows.filter(({ event }) => event === null),
    );
    await run(
      giveUp,
      rows.filter(({ isUnwanted }) => isUnwanted),
    );
  }
}

const chosen = `FROM unnest($1::integer[], $2::bigint[]) AS chosen (subscription, position)
WHERE delivery.subscription_number = chosen.subscription AND delivery.state = 'pending'
  AND delivery.position = chosen.position`;

/** A person may have asked for a delivery just when its event was pruned or erased. */
const forget = `DELETE ${chosen.replace('FROM', 'FROM delivery USING')}`;

const giveUp = `UPDATE delivery
SET state = 'dead', reason = '${reasonNotDesired}', next_at = NULL ${chosen}`;

function readRetries(rows: readonly RetryRow[]): Reading {
  const due = whole(rows).flatMap((row) => (row.isUnwanted ? [] : dueOf(row)));
  return { due, hasMore: rows.length === batchSize || due.length < rows.length };
}

function readLog(
  rows: readonly OrderedRow[],
  { subscription: number, generation }: Lease,
): Reading {
  return readInOrder({ kind: 'log', number, generation }, rows);
}

function readJob(rows: readonly JobRow[]): Reading {
  const [{ number }] = rows as readonly [JobRow];
  // Another job may follow.
  return { ...readInOrder({ kind: 'job', number }, rows), hasMore: true };
}

/** Once nothing follows, the reader is at the end of what it has read: see `until` of the statements. */
function readInOrder(reader: Reader, all: readonly OrderedRow[]): Reading {
  const [{ from, until }] = all as readonly [OrderedRow];
  const rows = all.flatMap(({ position, ...row }) => (position ? { ...row, position } : []));
  const steps = whole(rows).map(
    (row): Step => ({ position: row.position, due: row.isKnown ? undefined : dueOf(row)[0] }),
  );
  const isAll = steps.length === rows.length && rows.length < batchSize;
  const last = steps.at(-1)?.position ?? from;
  const progress = new Progress(reader, from, steps, isAll ? until : last);
  return { due: progress.due, progress, hasMore: !isAll };
}

/** Up to the first event whose body was not read. */
function whole<One extends Row>(rows: readonly One[]): readonly One[] {
  const cut = rows.findIndex(({ event, body }) => event !== null && body === null);
  return cut < 0 ? rows : rows.slice(0, cut);
}

/** Nothing for an event that was pruned or erased. */
function dueOf({ nth: _, body, ...row }: Row): readonly Due[] {
  return body === null ? [] : [{ ...row, body }];
}
