import type { RelayContext } from '../context.ts';
import { retryDelay } from '../sender/attempt-outcome.ts';
import { isSuccess, post } from '../targets/post.ts';

interface EndNotice {
  readonly subscription: number;
  /** Includes the current attempt. */
  readonly attempts: number;
  readonly targetUrl: string;
}

const batchSize = 20;
/** Added to the attempt's own timeout before another process takes over after a crash. */
const leaseMs = 30_000;

const claim = `
UPDATE end_notice SET attempts = end_notice.attempts + 1, next_at = $2
FROM subscription
WHERE subscription.number = end_notice.subscription_number AND end_notice.subscription_number IN (
  SELECT subscription_number FROM end_notice
  WHERE next_at <= $1 ORDER BY next_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
)
RETURNING subscription.number AS "subscription", end_notice.attempts, subscription.target_url AS "targetUrl"`;

/** Sends the due DELETE requests, retried like deliveries. */
export async function sendEndNotices(
  context: RelayContext,
  mustStop: () => boolean,
  random: () => number,
): Promise<void> {
  const { pool, clock, outbound } = context;
  while (!mustStop()) {
    const now = clock.now();
    const lease = new Date(now + outbound.timeoutMs + leaseMs);
    const { rows } = await pool.query<EndNotice>(claim, [new Date(now), lease]);
    await Promise.all(rows.map((notice) => send(context, notice, lease, random)));
    if (rows.length < batchSize) return;
  }
}

/** When the next one is due, in milliseconds since 1970; undefined if there is none. */
export async function nextEndNotice({ db }: RelayContext): Promise<number | undefined> {
  const row = await db
    .selectFrom('end_notice')
    .select(({ fn }) => fn.min('next_at').as('at'))
    .executeTakeFirst();
  return row?.at?.getTime();
}

async function send(
  { db, clock, outbound }: RelayContext,
  { subscription, attempts, targetUrl }: EndNotice,
  lease: Date,
  random: () => number,
): Promise<void> {
  const isAllowed = outbound.rules.whyNot(targetUrl) === undefined;
  const posted = await post({
    method: 'DELETE',
    url: targetUrl,
    headers: { 'user-agent': 'screen-advertising-relay' },
    body: undefined,
    outbound,
  });
  const now = clock.now();
  const delay = retryDelay(posted, { attempts, now, random });
  // A new subscribe request in the meantime has deleted the row.
  if (!isAllowed || isSettled(posted.status) || delay === undefined) {
    await db
      .deleteFrom('end_notice')
      .where('subscription_number', '=', subscription)
      .where('next_at', '=', lease)
      .execute();
    return;
  }
  await db
    .updateTable('end_notice')
    .set({ next_at: new Date(now + delay) })
    .where('subscription_number', '=', subscription)
    .where('next_at', '=', lease)
    .execute();
}

/** A target that is gone, or does not support DELETE, would respond the same next time. */
function isSettled(status: number | null): boolean {
  if (status === null) return false;
  return isSuccess(status) || (status >= 400 && status < 500 && ![408, 425, 429].includes(status));
}
