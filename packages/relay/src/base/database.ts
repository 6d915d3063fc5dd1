import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { Client, type ClientConfig, Pool } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { RelayError } from './relay-error.ts';
import type { Tables } from './tables.ts';

/** Something is wrong with DATABASE_URL. The message continues the name of the variable. */
export class DatabaseUrlError extends RelayError {
  constructor(what: string, cause?: unknown) {
    super('configuration', `DATABASE_URL ${what}.`, { cause });
  }
}

/** A password with one of these would end the user, the host, or the whole address. */
const isCutShort = /\/\/.*[/?#].*@/;

/**
 * How pg connects to an address. `sslmode` means what it means in libpq, as providers print it: pg alone
 * takes `require` for `verify-full`. Throws a DatabaseUrlError, which quotes no part of the address.
 */
export function readDatabaseUrl(text: string): ClientConfig {
  if (!/^postgres(?:ql)?:\/\//i.test(text)) {
    throw new DatabaseUrlError('must start with postgres:// or postgresql://');
  }
  try {
    if (isCutShort.test(text)) throw new TypeError();
    const config = toClientConfig(parse(text, { useLibpqCompat: true }));
    return { application_name: 'screen-advertising-relay', ...config };
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall) throw new DatabaseUrlError(`names a file that cannot be read: ${message}`);
    throw new DatabaseUrlError(
      'is not a valid address. Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, and percent-encode special characters in USER and PASSWORD: @ as %40, / as %2F, # as %23, ? as %3F, % as %25',
    );
  }
}

export interface Database {
  readonly pool: Pool;
  readonly db: Kysely<Tables>;
}

interface Use {
  readonly most: number;
  /**
   * PostgreSQL keeps the plan of a statement. One made while a table was empty reads all of it for each
   * subscription, which takes half a minute when 10,000 of them get an event.
   */
  readonly alwaysUsesIndexes?: boolean;
  readonly statementTimeoutMs?: number;
}

/** Connections that different work has to itself: none waits until another returns one. */
export const poolUses = {
  /** Stores events, finishes what requests left to do, and runs commands. */
  log: { most: 6 },
  sending: { most: 4, alwaysUsesIndexes: true },
  /** The API, the operator's page and metrics. A statement that takes too long ends. */
  requests: { most: 5, statementTimeoutMs: 5_000 },
} as const satisfies Record<string, Use>;

const useIndexes = 'SET enable_seqscan = off; SET enable_bitmapscan = off';

/** The service waits for a response to its delivery, so a lost database must be noticed soon. */
const maxWaitMs = 5_000;
/** For a statement that must not wait for a database that vanished without a word. */
export const shortQueryTimeout = { query_timeout: maxWaitMs } as const;

export function openPool(
  connectionString: string,
  onError: (error: Error) => void,
  { most, alwaysUsesIndexes = false, statementTimeoutMs }: Use = poolUses.log,
): Database {
  // Poolers accept no setting when a session starts.
  const settings = [
    ...(alwaysUsesIndexes ? [useIndexes] : []),
    ...(statementTimeoutMs === undefined ? [] : [`SET statement_timeout = ${statementTimeoutMs}`]),
  ].join('; ');
  const pool = new Pool({
    ...readDatabaseUrl(connectionString),
    max: most,
    connectionTimeoutMillis: maxWaitMs,
    query_timeout: 30_000,
    // The pool waits for it, although its type does not say so.
    ...(settings && { onConnect: (client) => client.query(settings) }),
  });
  // The pool replaces an idle connection that breaks. Without a listener, the process would exit.
  // One that is ending may still hear that its server stops.
  pool.on('error', (error) => pool.ending || onError(error));
  // One that breaks during a transaction would also exit it; its next query then fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { options } = pool;
  const lent = { options, connect: () => lend(pool), end: () => pool.end() };
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lent }) }) };
}

/**
 * A session of a server that became read-only or is stopping, as at a failover: it stays so for as long
 * as it lives, and the next connection leads to the new server.
 */
const isOver = /^(?:25006|57P0\d|08)/;

/** A connection for Kysely, which is dropped with such a session. `pool.query` drops it, too. */
async function lend(pool: Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect();
  let mustDrop = false;
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      mustDrop ||= isOver.test((error as { code?: string }).code ?? '');
      throw error;
    }
  };
  return { query, release: () => client.release(mustDrop) } as unknown as PostgresPoolClient;
}

export function openAllPools(connectionString: string, report: (error: unknown) => void) {
  const open = (use: Use) => openPool(connectionString, report, use);
  return {
    log: open(poolUses.log),
    sending: open(poolUses.sending),
    requests: open(poolUses.requests),
  };
}

const channel = 'relay_deliveries';
const reconnectMs = 1_000;
/** With 15 ms, every tenth event caused one more. */
const pauseMs = 50;

/**
 * Wakes the senders of other processes when a delivery is due. Runs outside the ingest's
 * transaction: a NOTIFY inside would make all commits wait for each other. Polling finds whatever a
 * lost notification misses.
 */
export class SenderNotifier {
  readonly #pool: Pool;
  readonly #self = randomUUID();
  #sending: Promise<unknown> | undefined;
  #again = false;
  #client: Client | undefined;
  #isClosed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Merges all calls during a notification, or shortly after it, into one more. */
  notify(): void {
    this.#again = true;
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    while (this.#again && !this.#isClosed) {
      this.#again = false;
      await this.#pool
        .query('SELECT pg_notify($1, $2)', [channel, this.#self])
        .catch(() => undefined);
      if (this.#again) await wait(pauseMs);
    }
    this.#sending = undefined;
  }

  /** Listens on a separate connection and reconnects whenever it breaks. */
  listen(connectionString: string, onNotify: () => void): void {
    this.#connect(connectionString, onNotify);
  }

  #connect(connectionString: string, onNotify: () => void): void {
    if (this.#isClosed) return;
    const client = new Client({ ...readDatabaseUrl(connectionString), keepAlive: true });
    this.#client = client;
    const again = () => {
      if (client === this.#client) {
        this.#client = undefined;
        setTimeout(() => this.#connect(connectionString, onNotify), reconnectMs).unref();
      }
    };
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload }) => {
      if (payload !== this.#self) onNotify();
    });
    client
      .connect()
      .then(() => client.query(`LISTEN ${channel}`))
      .then(onNotify, again);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    await Promise.all([this.#sending, client?.end().catch(() => undefined)]);
  }
}
