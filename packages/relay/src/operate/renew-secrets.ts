import { sql } from 'kysely';
import { decryptSecrets, makeSigningSecret, type SealedSecrets } from '../base/secrets.ts';
import type { RelayContext } from '../log/context.ts';

interface Sealed extends SealedSecrets {
  readonly number: number;
  readonly name: string;
}

/**
 * Re-encrypts every secret in the database with the first key of RELAY_SECRET_KEY, after which the
 * other keys can be removed. Returns how many sources and tokens it renewed.
 */
export async function reencryptSecrets({ db, box }: RelayContext): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    let renewed = 0;
    for (const table of ['source', 'token'] as const) {
      const again = (sealed: Buffer) => box.seal(box.open(sealed, table), table);
      const { rows } = await sql<Sealed>`
        SELECT number, secret, previous_secret FROM ${sql.table(table)} FOR UPDATE`.execute(
        transaction,
      );
      for (const { number, secret, previous_secret } of rows) {
        await transaction
          .updateTable(table)
          .set({
            secret: again(secret),
            previous_secret: previous_secret && again(previous_secret),
          })
          .where('number', '=', number)
          .execute();
      }
      renewed += rows.length;
    }
    return renewed;
  });
}

/**
 * Replaces every secret that cannot be decrypted by a random one, and returns the names of its
 * sources and tokens. Until someone enters them again, the events of these sources are rejected, and
 * no connector accepts the signatures of these tokens.
 */
export async function resetSecrets(context: RelayContext) {
  const { db, box } = context;
  return db.transaction().execute(async (transaction) => {
    const lost = { source: [] as string[], token: [] as string[] };
    const sources = await sql<Sealed>`SELECT * FROM source FOR UPDATE`.execute(transaction);
    const tokens = await sql<Sealed>`
      SELECT token.*, source.name || ' ' || token.name AS name FROM token
      JOIN source ON source.number = token.source_number
      WHERE token.revoked_at IS NULL FOR UPDATE OF token`.execute(transaction);
    const rows = { source: sources.rows, token: tokens.rows };
    for (const table of ['source', 'token'] as const) {
      for (const row of rows[table]) {
        if (isReadable(() => decryptSecrets(context, row, table))) continue;
        lost[table].push(row.name);
        await transaction
          .updateTable(table)
          .set({
            secret: box.seal(makeSigningSecret(), table),
            previous_secret: null,
            previous_until: null,
            ...(table === 'source' && { awaits_secret: true }),
          })
          .where('number', '=', row.number)
          .execute();
      }
    }
    return { sources: lost.source, tokens: lost.token };
  });
}

function isReadable(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
