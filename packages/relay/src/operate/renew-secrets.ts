import { sql } from 'kysely';
import { makeSigningSecret, openSecrets } from '../base/secrets.ts';
import type { RelayContext } from '../log/context.ts';

/**
 * Re-encrypts every secret in the database with the first key of RELAY_SECRET_KEY, after which the
 * other keys can be removed. Returns how many sources and tokens it renewed.
 */
export async function reencryptSecrets({ db, box }: RelayContext): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    let renewed = 0;
    for (const table of ['source', 'token'] as const) {
      const again = (sealed: Buffer) => box.seal(box.open(sealed, table), table);
      const rows = await transaction
        .selectFrom(table)
        .select(['number', 'secret', 'previous_secret'])
        .forUpdate()
        .execute();
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
    const rows = {
      source: await transaction.selectFrom('source').selectAll().forUpdate().execute(),
      token: await transaction
        .selectFrom('token')
        .innerJoin('source', 'source.number', 'token.source_number')
        .selectAll('token')
        .select(sql<string>`source.name || ' ' || token.name`.as('name'))
        .where('token.revoked_at', 'is', null)
        .forUpdate('token')
        .execute(),
    };
    for (const table of ['source', 'token'] as const) {
      for (const row of rows[table]) {
        if (isReadable(() => openSecrets(context, row, table))) continue;
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
