import type { RelayContext } from '../context.ts';

/**
 * Re-encrypts every secret in the database with the first key of RELAY_SECRET_KEY, after which the
 * other keys can be removed. Returns how many sources and tokens it renewed.
 */
export async function renewSecrets({ db, box }: RelayContext): Promise<number> {
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
