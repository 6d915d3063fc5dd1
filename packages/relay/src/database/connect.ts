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
  // So it would with one that breaks while a transaction has it, whose next query fails then.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) };
}
