import { access, constants } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { clientFor } from '../database/connect.ts';
import { RelayError } from '../relay-error.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type BackupHeader, type BackupTable, readBackup, uses } from './backup-file.ts';
import { backupTables, columnsOf, sameTextEverywhere } from './backup-tables.ts';
import type { BackupRows } from './write-backup.ts';

/**
 * Fills an empty, migrated database from a backup, in one transaction: if the file is damaged, of a
 * newer relay, or of one with another secret key, nothing is changed. Reads it once, so that what is
 * checked is what is restored. Rejects with a RelayError.
 */
export async function restoreBackup(
  connectionString: string,
  box: SecretBox,
  file: string,
): Promise<BackupRows> {
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    const text = `Cannot read ${file}: the system reports ${error.code ?? error.message}.`;
    throw new RelayError('backup', text, { cause: error });
  });
  const client = new (clientFor(connectionString))();
  await client.connect();
  try {
    await client.query(sameTextEverywhere);
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${backupTables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    await checkEmpty(client);
    let sequences: BackupHeader['sequences'] = {};
    const rows = await readBackup(file, box, {
      async header(header) {
        await checkHeader(client, box, file, header);
        sequences = header.sequences;
      },
      async table({ table, columns }, rowsOfTable) {
        await checkTable(client, file, { table, columns });
        const names = columns.map((column) => `"${column}"`).join(', ');
        const copy = client.query(copyFrom(`COPY ${table} (${names}) FROM STDIN`));
        await pipeline(Readable.from(rowsOfTable), copy);
      },
    });
    await setSequences(client, sequences);
    await client.query('COMMIT');
    await client.query(`ANALYZE ${backupTables.join(', ')}`);
    return rows;
  } finally {
    // Without a commit, this undoes everything.
    await client.end();
  }
}

async function checkHeader(
  client: Client,
  box: SecretBox,
  file: string,
  { migrations, key_check, sequences }: BackupHeader,
): Promise<void> {
  try {
    box.open(Buffer.from(key_check, 'base64'), uses.keyCheck);
  } catch (cause) {
    throw new RelayError(
      'secret_key',
      `The secrets in ${file} were encrypted with a different key. Nothing was changed. Set RELAY_SECRET_KEY to the key of the relay that wrote it, or copy its secret.key into RELAY_DATA_DIR.`,
      { cause },
    );
  }
  const ran = await client.query<{ name: string }>('SELECT name FROM relay_migration');
  const known = new Set(ran.rows.map(({ name }) => name));
  const { rows } = await client.query<{ name: string }>(
    'SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema()',
  );
  const names = new Set(rows.map(({ name }) => name));
  const isKnown =
    migrations.every((name) => known.has(name)) &&
    Object.keys(sequences).every((name) => names.has(name));
  if (!isKnown) throw newer(file);
}

async function checkTable(client: Client, file: string, { table, columns }: BackupTable) {
  const isTable = backupTables.some((name) => name === table);
  const known = isTable ? await columnsOf(client, table) : [];
  if (!columns.every((column) => known.includes(column))) throw newer(file);
}

function newer(file: string): RelayError {
  return new RelayError(
    'backup',
    `${file} was written by a newer relay. Nothing was changed. Update this relay, then restore.`,
  );
}

async function checkEmpty(client: Client): Promise<void> {
  for (const table of backupTables) {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount === 0) continue;
    throw new RelayError(
      'conflict',
      `A backup can only be restored into an empty database, and this one has rows in the table ${table}. Nothing was changed. Choose another RELAY_DATA_DIR or DATABASE_URL.`,
    );
  }
}

/** What was assigned once is not assigned again, even if its rows have been deleted. */
async function setSequences(client: Client, sequences: BackupHeader['sequences']): Promise<void> {
  for (const [name, value] of Object.entries(sequences))
    await client.query('SELECT setval($1, $2)', [name, value]);
}
