import { connect } from '../../../packages/relay/src/database/connect.ts';
import { createPartition } from '../../../packages/relay/src/database/partitions.ts';

const day = 24 * 3_600_000;

/** Gives a database the partitions of a relay that has run for some days. It has today's already. */
export async function addPastPartitions(databaseUrl: string, days: number): Promise<void> {
  const { db } = connect(databaseUrl, () => undefined);
  const today = Math.floor(Date.now() / day) * day;
  try {
    await db.transaction().execute(async (transaction) => {
      for (let from = today - days * day; from < today; from += day) {
        const name = new Date(from).toISOString().slice(0, 10).replaceAll('-', '');
        await createPartition(transaction, { name, from, to: from + day });
      }
    });
  } finally {
    await db.destroy();
  }
}
