import { randomInt } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { DatabaseUrlError, openPool, readDatabaseUrl } from '../../base/database.ts';
import { migrate } from '../../base/migrations.ts';
import { RelayError } from '../../base/relay-error.ts';
import { explainFailure } from './explain-failure.ts';

/** Each after those that it refers to. Sign-ins and the table of migrations stay where they are. */
const tables = [
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

/** How many rows of each table were copied. */
export type CopiedRows = Readonly<Record<(typeof tables)[number], number>>;

/** Whatever the defaults of a server, a row has the same text in all of them. */
const sameTextEverywhere = `SET TIME ZONE 'UTC';
  SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET bytea_output = 'hex';
  SET extra_float_digits = 1; SET client_encoding = 'UTF8';
  SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

/**
 * Copies everything, as of one moment, into an empty database. Both change nothing if it fails.
 * Rejects with a RelayError that names what is wrong with the other database.
 */
export async function copyDatabase(from: string, to: string): Promise<CopiedRows> {
  const source = new Client(readDatabaseUrl(from));
  const target = await openTarget(to);
  try {
    await source.connect();
    for (const client of [source, target]) await client.query(sameTextEverywhere);
    await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await target.query('BEGIN');
    await checkTarget(source, target);
    await prepareTables(to);
    await checkTables(source, target);
    const rows: Record<string, number> = {};
    for (const table of tables) rows[table] = await copyTable(source, target, table);
    await copySequences(source, target);
    await target.query('COMMIT');
    await target.query(`ANALYZE ${tables.join(', ')}`);
    return rows as CopiedRows;
  } finally {
    // Without a commit, this undoes everything.
    for (const client of [source, target]) await client.end();
  }
}

async function openTarget(to: string): Promise<Client> {
  try {
    const client = new Client(readDatabaseUrl(to));
    // A broken connection surfaces where it is used.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    const explained = explainFailure(error, to);
    if (!(explained instanceof DatabaseUrlError)) throw explained;
    const message = explained.message.replace(/^DATABASE_URL/, '--to');
    throw new RelayError('configuration', message, { cause: error });
  }
}

/** Whether the other database is another one, and not that of another program. */
async function checkTarget(source: Client, target: Client): Promise<void> {
  // Each database has its own advisory locks.
  const lock = [randomInt(2 ** 31), randomInt(2 ** 31)];
  await source.query('SELECT pg_advisory_xact_lock($1, $2)', lock);
  const { rows } = await target.query('SELECT pg_try_advisory_xact_lock($1, $2) AS other', lock);
  if (!rows[0].other) {
    throw refused("--to leads to the relay's own database. Name an empty one");
  }
  const ofTables = 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()';
  const known = await namesIn(target, ofTables);
  const [first] = known;
  if (first && !known.includes('relay_migration')) throw notEmpty(`the table ${first}`);
}

async function prepareTables(to: string): Promise<void> {
  const { db } = openPool(to, () => undefined);
  await migrate(db).finally(() => db.destroy());
}

async function checkTables(source: Client, target: Client): Promise<void> {
  const [own, other] = await Promise.all(
    [source, target].map((client) => namesIn(client, 'SELECT name FROM relay_migration')),
  );
  if (String(own) !== String(other)) {
    throw refused(
      'A newer relay has changed the tables of one of the databases. Copy with its release',
    );
  }
  await target.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  for (const table of tables) {
    const { rowCount } = await target.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount !== 0) throw notEmpty(`rows in the table ${table}`);
  }
}

/** Columns need no names, since the same migrations made them. */
async function copyTable(source: Client, target: Client, table: string): Promise<number> {
  const read = source.query(copyTo(`COPY ${table} TO STDOUT`));
  const written = target.query(copyFrom(`COPY ${table} FROM STDIN`));
  await pipeline(read, written);
  return read.rowCount;
}

/** So that no number is assigned again, even if its row was deleted. */
async function copySequences(source: Client, target: Client): Promise<void> {
  const { rows } = await source.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  );
  for (const { name, value } of rows) await target.query('SELECT setval($1, $2)', [name, value]);
}

async function namesIn(client: Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`${query} ORDER BY name`);
  return rows.map(({ name }) => name);
}

function notEmpty(what: string): RelayError {
  return refused(`--to must lead to an empty database, and this one has ${what}`);
}

function refused(what: string): RelayError {
  return new RelayError('conflict', `${what}. Nothing was changed.`);
}
