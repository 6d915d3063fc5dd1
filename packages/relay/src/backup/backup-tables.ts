import type { ClientBase } from 'pg';

/**
 * What a backup holds, each table after those that it refers to. It leaves out sign-in links and
 * sessions of the operator's page.
 */
export const backupTables = [
  'source',
  'refusal',
  'token',
  'subscription',
  'lease',
  'event',
  'erasure',
  'pruned',
  'seen_body',
  'delivery',
  'attempt',
  'job',
  'hourly_count',
  'problem',
] as const;

/** The columns of a table that hold data, in their order. */
export async function columnsOf(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Whatever the defaults of a server, a row has the same text in all of them. */
export const sameTextEverywhere = `SET TIME ZONE 'UTC';
  SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET bytea_output = 'hex';
  SET extra_float_digits = 1; SET client_encoding = 'UTF8';
  SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;
