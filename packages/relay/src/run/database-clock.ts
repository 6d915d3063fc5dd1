import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { Pool } from 'pg';

interface Followed {
  readonly pool: Pool;
  readonly clock: ScheduledClock;
  readonly observer: { clockRead(aheadMs: number): void };
  readonly report: (error: unknown) => void;
}

const readEveryMs = 10_000;

/**
 * Keeps the clock of the relay on the database's: machines' clocks differ, and what one process
 * stores, another one compares with its own time. Between two readings the clock runs on the
 * process's monotonic clock, so it survives a machine whose clock is set. Resolves after the first
 * reading with a function that ends it.
 */
export async function followDatabaseClock(followed: Followed): Promise<() => void> {
  const { clock, report } = followed;
  clock.set(await readClock(followed));
  const check = async () => {
    const startedAt = performance.now();
    const now = await readClock(followed);
    // The database read its clock at some moment of the query, so a smaller difference is none.
    const uncertainMs = (performance.now() - startedAt) / 2;
    if (Math.abs(clock.now() - now) > Math.max(uncertainMs, 1)) clock.set(now);
  };
  const timer = setInterval(() => void check().catch(report), readEveryMs).unref();
  return () => clearInterval(timer);
}

/** The present time by the database's clock, as if read in the middle of the query. */
async function readClock({ pool, observer }: Followed): Promise<number> {
  const startedAt = performance.now();
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  const now = (rows[0]?.ms ?? Date.now()) + (performance.now() - startedAt) / 2;
  observer.clockRead(Date.now() - now);
  return now;
}
