import type { Pool } from 'pg';
import type { RelayContext } from '../context.ts';
import { asColumns, Batches } from '../database/batches.ts';
import type { Lease } from './leases.ts';
import { batchSize, logStatement, replayStatement, retryStatement } from './read-statements.ts';
import { type Due, Progress, type Reader, type Step } from './work.ts';

/** What is next for a subscription. */
export interface Reading {
  readonly due: readonly Due[];
  /** Of a reader with a position; retries have none. */
  readonly progress?: Progress;
  /** Whether more may follow. */
  readonly hasMore: boolean;
}

interface Asked {
  readonly lease: Lease;
  readonly most: number;
}

type Row = Omit<Due, 'body'> & { readonly nth: number; readonly body: Buffer | null };

type LogRow = Row & { readonly from: string; readonly isKnown: boolean };

type ReplayRow = Omit<LogRow, 'position'> & {
  readonly number: string;
  readonly until: string;
  readonly position: string | null;
};

interface More<One> {
  /** Further values of the statement. */
  readonly values?: () => readonly unknown[];
  readonly afterwards?: (asked: readonly Asked[], rows: readonly One[]) => Promise<void>;
}

/** Subscriptions that are read in the same tick share a statement. */
const mostLeases = 50;

const nothing: Reading = { due: [], hasMore: false };

/** Reads what to attempt next, for the subscriptions that this process delivers to. */
export class Readers {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #retries: Batches<Asked, Reading>;
  readonly #log: Batches<Asked, Reading>;
  readonly #replays: Batches<Asked, Reading>;

  constructor({ pool, clock }: Pick<RelayContext, 'pool' | 'clock'>, owner: string) {
    this.#pool = pool;
    this.#owner = owner;
    this.#retries = this.#batches('read-retries', retryStatement, readRetries, {
      values: () => [new Date(clock.now())],
      afterwards: (asked, rows) => this.#forgetPruned(asked, rows),
    });
    this.#log = this.#batches('read-log', logStatement, readLog);
    this.#replays = this.#batches('read-replays', replayStatement, readReplay);
  }

  /** Pending deliveries that are due. */
  retries(lease: Lease, most: number): Promise<Reading> {
    return this.#retries.add({ lease, most });
  }

  /** What the subscription has not read of the log. */
  log(lease: Lease, most: number): Promise<Reading> {
    return this.#log.add({ lease, most });
  }

  /** The next of its oldest replay. */
  replay(lease: Lease, most: number): Promise<Reading> {
    return this.#replays.add({ lease, most });
  }

  #batches<One extends Row | ReplayRow>(
    name: string,
    text: string,
    read: (asked: Asked, rows: readonly One[]) => Reading,
    { values = () => [], afterwards }: More<One> = {},
  ): Batches<Asked, Reading> {
    const run = async (asked: readonly Asked[]) => {
      const subscriptions = asked.map(({ lease }) => lease.subscription);
      const query = { name, text, values: [subscriptions, this.#owner, ...values()] };
      const { rows } = await this.#pool.query<One>(query);
      await afterwards?.(asked, rows);
      const byNth = Map.groupBy(rows, ({ nth }) => nth);
      return asked.map((one, index) => {
        const own = byNth.get(index + 1);
        return own ? read(one, own) : nothing;
      });
    };
    return new Batches(run, { most: mostLeases });
  }

  async #forgetPruned(asked: readonly Asked[], rows: readonly Row[]): Promise<void> {
    const pruned = rows.filter(({ event }) => event === null);
    if (pruned.length === 0) return;
    const keys = pruned.map(({ nth, position }) => [asked[nth - 1]?.lease.subscription, position]);
    await this.#pool.query(forget, asColumns(keys));
  }
}

/** A person may have asked for a delivery just when its event was pruned or erased. */
const forget = `
DELETE FROM delivery USING unnest($1::integer[], $2::bigint[]) AS gone (subscription, position)
WHERE delivery.subscription_number = gone.subscription AND delivery.state = 'pending'
  AND delivery.position = gone.position`;

function readRetries({ most }: Asked, rows: readonly Row[]): Reading {
  const due = whole(rows.slice(0, most)).flatMap(dueOf);
  return { due, hasMore: rows.length === batchSize || due.length < rows.length };
}

function readLog({ lease, most }: Asked, rows: readonly LogRow[]): Reading {
  const reader = { kind: 'log', number: lease.subscription } as const;
  return readInOrder(reader, most, rows);
}

function readReplay({ most }: Asked, rows: readonly ReplayRow[]): Reading {
  const [{ number, until, from }] = rows as readonly [ReplayRow];
  const found = rows.flatMap(({ position, ...row }) => (position ? { ...row, position } : []));
  const reading = readInOrder({ kind: 'replay', number }, most, found, from, until);
  // Another replay may follow.
  return { ...reading, hasMore: true };
}

/** `end`: where the reader is when there is no more. */
function readInOrder(
  reader: Reader,
  most: number,
  rows: readonly LogRow[],
  from = rows[0]?.from ?? '0',
  end?: string,
): Reading {
  const steps: Step[] = [];
  let count = 0;
  for (const row of whole(rows)) {
    const [due] = row.isKnown ? [] : dueOf(row);
    if (due) count += 1;
    if (count > most) break;
    steps.push({ position: row.position, due });
  }
  const isAll = steps.length === rows.length && rows.length < batchSize;
  const last = steps.at(-1)?.position ?? from;
  const progress = new Progress(reader, from, steps, (isAll && end) || last);
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
