import type { Client } from 'pg';
import { eventually } from '../../support/eventually.ts';

/** Waits until one other connection waits for a lock that this transaction holds. */
export function oneWaitsFor(holder: Client): Promise<void> {
  return eventually(async () => {
    // A transaction keeps the snapshot of its first query.
    await holder.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await holder.query(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return rows.length === 1;
  });
}
