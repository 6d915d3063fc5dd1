import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Tables } from './tables.ts';

export interface Database {
  readonly pool: Pool;
  readonly db: Kysely<Tables>;
}

const mostConnections = 12;
/** The service waits for the answer to a delivery, so a database that is away must show soon. */
const longestWaitMs = 5_000;

export function connect(connectionString: string, onError: (error: Error) => void): Database {
  const pool = new Pool({
    connectionString,
    max: mostConnections,
    connectionTimeoutMillis: longestWaitMs,
    query_timeout: 30_000,
    application_name: 'screen-advertising-relay',
  });
  // An idle connection that breaks is replaced; without a listener the process would end.
  pool.on('error', onError);
  // The pool looks after idle connections only; one that breaks between two statements of a
  // transaction would end the process as well.
  pool.on('connect', (client) => client.on('error', onError));
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) };
}
