import { Kysely, PostgresDialect } from 'kysely';
import { Client, type ClientConfig, Pool } from 'pg';
import { readDatabaseUrl } from './database-url.ts';
import type { Tables } from './tables.ts';

/**
 * The class of clients that connect to this address, and take nothing from PG* variables or
 * ~/.pgpass: those are for other programs. Reads the files that the address names once, so that a
 * later connection cannot fail because of them.
 */
export function clientFor(connectionString: string): new (config?: ClientConfig) => Client {
  const address = readDatabaseUrl(connectionString);
  return class DatabaseClient extends Client {
    constructor(config: ClientConfig = {}) {
      super({ ...config, ...address });
      // pg would take empty ones from PGOPTIONS and PGREPLICATION.
      const { connectionParameters } = this as unknown as { readonly connectionParameters: object };
      Object.assign(connectionParameters, { options: address.options, replication: undefined });
    }
  };
}

export interface Database {
  readonly pool: Pool;
  readonly db: Kysely<Tables>;
}

/** Connections that different work has to itself: none waits until another returns one. */
export const uses = {
  /** Stores events, and checks that it could. */
  ingress: { most: 3, alwaysUsesIndexes: true },
  /** Claims, reads and records deliveries. */
  sending: { most: 4, alwaysUsesIndexes: true },
  /** Finishes what requests left to do, and runs commands. */
  background: { most: 2 },
  /** Reads of the API, the operator's page and metrics. A query that takes too long ends. */
  reading: { most: 4, statementTimeoutMs: 5_000 },
  /** Changes that the API makes. */
  writing: { most: 2, statementTimeoutMs: 5_000 },
} as const satisfies Record<string, Use>;

interface Use {
  readonly most: number;
  /**
   * PostgreSQL keeps the plan of a statement. One made while the queue was empty reads the whole
   * queue for each subscription, which takes half a minute when 10,000 of them get an event. One made
   * while no key was known reads all keys for each event.
   */
  readonly alwaysUsesIndexes?: boolean;
  readonly statementTimeoutMs?: number;
}

const useIndexes = 'SET enable_seqscan = off; SET enable_bitmapscan = off';

/** The service waits for a response to its delivery, so a lost database must be noticed soon. */
const maxWaitMs = 5_000;

export function connect(
  connectionString: string,
  onError: (error: Error) => void,
  { most, alwaysUsesIndexes = false, statementTimeoutMs }: Use = uses.background,
): Database {
  // Poolers accept no setting when a session starts.
  const settings = [
    ...(alwaysUsesIndexes ? [useIndexes] : []),
    ...(statementTimeoutMs === undefined ? [] : [`SET statement_timeout = ${statementTimeoutMs}`]),
  ].join('; ');
  const pool = new Pool({
    Client: clientFor(connectionString),
    max: most,
    connectionTimeoutMillis: maxWaitMs,
    query_timeout: 30_000,
    // The pool waits for it, although its type does not say so.
    ...(settings && { onConnect: (client) => client.query(settings) }),
  });
  // The pool replaces an idle connection that breaks. Without a listener, the process would exit.
  // One that is ending may still hear that its server stops.
  pool.on('error', (error) => pool.ending || onError(error));
  // The same applies to a connection that breaks during a transaction: its next query then fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) };
}

/** The connections of one relay, each for its use. */
export function connectAll(connectionString: string, report: (error: unknown) => void) {
  const open = (use: Use) => connect(connectionString, report, use);
  return {
    ingress: open(uses.ingress),
    sending: open(uses.sending),
    background: open(uses.background),
    reading: open(uses.reading),
    writing: open(uses.writing),
  };
}
