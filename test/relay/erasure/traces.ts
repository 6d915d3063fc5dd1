import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { searchHash } from '../../../packages/relay/src/records/event-search.ts';
import { command } from '../support/command.ts';
import { onDatabase } from '../support/database.ts';

/** A value as the database and a backup could hold it: text, bytes in hex, and the hash of a search. */
function formsOf(value: string, source: number): string[] {
  return [value, Buffer.from(value).toString('hex'), searchHash(source, value)];
}

/** Tables in which any row has the value, and `index` if an index still finds it. */
export async function tablesWith(
  databaseUrl: string,
  value: string,
  source = 1,
): Promise<string[]> {
  const forms = formsOf(value, source);
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await client.query(
        `SELECT FROM ${name} AS one WHERE EXISTS (
          SELECT FROM unnest($1::text[]) AS form WHERE strpos(one::text, form) > 0
        ) LIMIT 1`,
        [forms],
      );
      if (rowCount !== 0) found.push(name);
    }
    await client.query('SET enable_seqscan = off');
    const { rowCount } = await client.query(
      'SELECT FROM event WHERE search_hashes @> ARRAY[$1::bigint] LIMIT 1',
      [searchHash(source, value)],
    );
    return rowCount === 0 ? found : [...found, 'index'];
  });
}

/** Whether a backup made now has the value in its text. */
export async function isInBackup(databaseUrl: string, value: string, source = 1): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'erasure-'));
  const file = path.join(folder, 'backup.gz');
  const { code, errors } = await command(['backup', file], { DATABASE_URL: databaseUrl });
  if (code !== 0) throw new Error(errors);
  const forms = formsOf(value, source);
  let isFound = false;
  let end = '';
  for await (const chunk of createReadStream(file).pipe(createGunzip())) {
    const text = end + (chunk as Buffer).toString('latin1');
    isFound ||= forms.some((form) => text.includes(form));
    end = text.slice(-200);
  }
  await rm(folder, { recursive: true });
  return isFound;
}
