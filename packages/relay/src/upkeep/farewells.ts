import type { RelayContext } from '../context.ts';
import { post } from '../sender/post.ts';
import { readRetryAfter, retryDelay } from '../sender/retry-schedule.ts';

interface Farewell {
  readonly subscription: number;
  /** Includes the current attempt. */
  readonly attempts: number;
  readonly targetUrl: string;
}

const batchSize = 20;
/** Added to the attempt's own timeout before another process takes over after a crash. */
const leaseMs = 30_000;

const claim = `
UPDATE farewell SET attempts = farewell.attempts + 1, next_at = $2
FROM subscription
WHERE subscription.number = farewell.subscription_number AND farewell.subscription_number IN (
  SELECT subscription_number FROM farewell
  WHERE next_at <= $1 ORDER BY next_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
)
RETURNING subscription.number AS "subscription", farewell.attempts, subscription.target_url AS "targetUrl"`;

/** Sends the due DELETE requests, retried like deliveries. */
export async function sendFarewells(
  context: RelayContext,
  mustStop: () => boolean,
  random: () => number,
): Promise<void> {
  const { pool, clock, outbound } = context;
  while (!mustStop()) {
    const now = clock.now();
    const lease = new Date(now + outbound.timeoutMs + leaseMs);
    const { rows } = await pool.query<Farewell>(claim, [new Date(now), lease]);
    await Promise.all(rows.map((farewell) => send(context, farewell, lease, random)));
    if (rows.length < batchSize) return;
  }
}

/** When the next one is due, in milliseconds since 1970; undefined if there is none. */
export async function nextFarewell({ db }: RelayContext): Promise<number | undefined> {
  const row = await db
    .selectFrom('farewell')
    .select(({ fn }) => fn.min('next_at').as('at'))
    .executeTakeFirst();
  return row?.at?.getTime();
}

async function send(
  { db, clock, outbound }: RelayContext,
  { subscription, attempts, targetUrl }: Farewell,
  lease: Date,
  random: () => number,
): Promise<void> {
  const isAllowed = outbound.rules.whyNot(targetUrl) === undefined;
  const { status, retryAfter } = await post({
    method: 'DELETE',
    url: targetUrl,
    headers: { 'user-agent': 'screen-advertising-relay' },
    body: undefined,
    outbound,
  });
  const now = clock.now();
  const delay = retryDelay(attempts, readRetryAfter(retryAfter, now), random);
  // A new subscribe request in the meantime has deleted the row.
  if (!isAllowed || isSettled(status) || delay === undefined) {
    await db
      .deleteFrom('farewell')
      .where('subscription_number', '=', subscription)
      .where('next_at', '=', lease)
      .execute();
    return;
  }
  await db
    .updateTable('farewell')
    .set({ next_at: new Date(now + delay) })
    .where('subscription_number', '=', subscription)
    .where('next_at', '=', lease)
    .execute();
}

/** A target that is gone, or does not support DELETE, would respond the same next time. */
function isSettled(status: number | null): boolean {
  if (status === null) return false;
  if (status >= 200 && status < 300) return true;
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}
