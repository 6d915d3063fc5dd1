import { expect, it } from '@jest/globals';
import { connect } from '../../../packages/relay/src/database/connect.ts';
import { freshDatabase, onDatabase } from '../support/database.ts';

it('a connection that PostgreSQL closes fails its transaction, but not the process', async () => {
  const url = await freshDatabase();
  const { db } = connect(url, () => undefined);
  try {
    const transaction = db.transaction().execute(async (open) => {
      const backend = () =>
        open
          .selectNoFrom((row) => row.fn<number>('pg_backend_pid', []).as('pid'))
          .executeTakeFirstOrThrow();
      const { pid } = await backend();
      await onDatabase(url, (client) =>
        client.query('SELECT pg_terminate_backend($1, 10000)', [pid]),
      );
      await backend();
    });
    await expect(transaction).rejects.toThrow(/terminat|not queryable/);
    await db.transaction().execute(async () => undefined);
  } finally {
    await db.destroy();
  }
});

it('an idle connection that PostgreSQL closes is reported, unless its pool is ending', async () => {
  const reported: unknown[] = [];
  const { pool } = connect('postgres://localhost', (error) => reported.push(error));
  const error = new Error('terminating connection due to administrator command');
  pool.emit('error', error, undefined as never);
  await pool.end();
  pool.emit('error', error, undefined as never);
  expect(reported).toEqual([error]);
});
