import { searchHash } from '../../../packages/relay/src/log/event-search.ts';
import { onDatabase } from '../support/database.ts';

/** A value as the database could hold it: text, bytes in hex, and the hash of a search. */
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
