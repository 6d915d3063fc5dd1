import { createHash, randomUUID } from 'node:crypto';
import { access, link, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { clientFor } from '../database/connect.ts';
import { RelayError } from '../relay-error.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import {
  type BackupEnd,
  type BackupHeader,
  endOfRows,
  formatVersion,
  uses,
} from './backup-file.ts';
import { backupTables, columnsOf, sameTextEverywhere } from './backup-tables.ts';

const isThere = 'It exists already: choose another name, or delete it.';

/** How many rows of each table a backup holds. */
export type BackupRows = BackupEnd['rows'];

/**
 * Writes every source, token, subscription, event and delivery to a new file, as of one moment,
 * while the relay runs. The file appears when it is complete.
 */
export async function writeBackup(
  connectionString: string,
  box: SecretBox,
  file: string,
): Promise<BackupRows> {
  await access(file).then(
    () => {
      throw cannotWrite(file, isThere);
    },
    () => undefined,
  );
  const part = `${file}.${randomUUID()}.part`;
  const output = await open(part, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw readable(file, error);
  });
  const rows: BackupRows = {};
  try {
    const client = new (clientFor(connectionString))();
    await client.connect();
    try {
      const text = Readable.from(linesOf(client, box, rows));
      await pipeline(text, createGzip(), output.createWriteStream({ flush: true }));
    } finally {
      await client.end();
    }
    // Unlike a rename, it replaces nothing that another backup has written meanwhile.
    await link(part, file);
  } catch (error) {
    throw readable(file, error as NodeJS.ErrnoException);
  } finally {
    await rm(part, { force: true });
  }
  return rows;
}

async function* linesOf(
  client: Client,
  box: SecretBox,
  rows: BackupRows,
): AsyncGenerator<Buffer | string> {
  const hash = createHash('sha256');
  const hashed = <Piece extends Buffer | string>(piece: Piece): Piece => {
    hash.update(piece);
    return piece;
  };
  await client.query(sameTextEverywhere);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  yield hashed(lineOf(await headerOf(client, box)));
  for (const table of backupTables) {
    const columns = await columnsOf(client, table);
    yield hashed(lineOf({ table, columns }));
    const names = columns.map((column) => `"${column}"`).join(', ');
    const copy = client.query(copyTo(`COPY (SELECT ${names} FROM ${table}) TO STDOUT`));
    for await (const chunk of copy) yield hashed(chunk as Buffer);
    rows[table] = copy.rowCount;
    yield hashed(endOfRows);
  }
  const seal = box.seal(hash.digest('hex'), uses.digest).toString('base64');
  yield lineOf({ rows, seal } satisfies BackupEnd);
}

async function headerOf(client: Client, box: SecretBox): Promise<BackupHeader> {
  const migrations = await client.query<{ name: string }>(
    'SELECT name FROM relay_migration ORDER BY name',
  );
  const sequences = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  );
  return {
    screen_advertising_relay_backup: formatVersion,
    created_at: new Date().toISOString(),
    migrations: migrations.rows.map(({ name }) => name),
    key_check: box.seal('backup', uses.keyCheck).toString('base64'),
    sequences: Object.fromEntries(sequences.rows.map(({ name, value }) => [name, value])),
  };
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** Says which file, if the system could not write it: a full disk, for example. */
function readable(file: string, error: NodeJS.ErrnoException): Error {
  return error.syscall === undefined || error.syscall === 'connect'
    ? error
    : cannotWrite(file, error.code === 'EEXIST' ? isThere : `The system reports ${error.code}.`);
}

function cannotWrite(file: string, why: string): RelayError {
  return new RelayError('backup', `Cannot write ${file}. ${why}`);
}
