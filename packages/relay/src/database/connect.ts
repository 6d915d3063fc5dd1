import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Tables } from './tables.ts';

export interface Database {
  readonly pool: Pool;
  readonly db: Kysely<Tables>;
}

const mostConnections = 12;
/** The service waits for a response to its delivery, so a lost database must be noticed soon. */
const longestWaitMs = 5_000;

export function connect(connectionString: string, onError: (error: Error) => void): Database {
  const pool = new Pool({
    connectionString,
    max: mostConnections,
    connectionTimeoutMillis: longestWaitMs,
    query_timeout: 30_000,
    application_name: 'screen-advertising-relay',
  });
  // The pool replaces an idle connection that breaks. Without a listener, the process would exit.
  pool.on('error', onError);
  // The same applies to a connection that breaks during a transaction: its next query then fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) };
}
