import type { RelayContext } from '../../../packages/relay/src/context.ts';
import { connect } from '../../../packages/relay/src/database/connect.ts';
import { onDatabase } from './database.ts';
import type { Running } from './running-relay.ts';

/** A context without maintenance, so that jobs run only when the test runs them. */
export async function onContext(
  { databaseUrl, relay: { clock } }: Running,
  use: (context: RelayContext) => Promise<unknown>,
): Promise<void> {
  const database = connect(databaseUrl, () => undefined);
  const idle = () => undefined;
  try {
    await use({ ...database, clock, wake: idle, settle: idle } as unknown as RelayContext);
  } finally {
    await database.db.destroy();
  }
}

/** The open jobs. */
export const jobs = (running: Running) =>
  onDatabase(
    running.databaseUrl,
    async (client) => (await client.query('SELECT batches FROM job ORDER BY number')).rows,
  );
