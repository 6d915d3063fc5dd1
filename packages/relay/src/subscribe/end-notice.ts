import { sql } from 'kysely';
import { publicId } from '../base/ids.ts';
import type { RelayContext } from '../context.ts';
import { post, requestHeaders } from '../outbound/post.ts';

interface Ended {
  readonly id: string;
  readonly targetUrl: string;
  /** Encrypted: the target may know only the previous one. */
  readonly secrets: readonly (Buffer | null)[];
}

const maxAtOnce = 100;
/** None starts later. */
const maxMs = 5_000;

/**
 * Sends a DELETE to the targets of subscriptions whose key is no longer valid. Zapier pauses such a
 * Zap, so its owner learns that events have stopped. Each is sent once, since nothing depends on it.
 */
export async function sendEndNotices(
  context: RelayContext,
  subscriptions: readonly number[],
): Promise<void> {
  if (subscriptions.length === 0) return;
  const { rows } = await sql<Ended>`
    SELECT subscription.id, target_url AS "targetUrl", ARRAY[secret, previous_secret] AS secrets
    FROM subscription JOIN token ON token.number = subscription.token_number
    WHERE subscription.number = ANY (${subscriptions}::integer[])`.execute(context.db);
  const overdueAt = performance.now() + maxMs;
  // The concurrent workers share what is left.
  const waiting = rows.values();
  const work = async () => {
    for (const ended of waiting) {
      if (performance.now() > overdueAt) return;
      await send(context, ended);
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
}

async function send({ box, clock, outbound }: RelayContext, { id, targetUrl, secrets }: Ended) {
  const body = new Uint8Array();
  const headers = requestHeaders({
    id: publicId('end', id),
    body,
    secrets: secrets.flatMap((sealed) => (sealed ? box.open(sealed, 'token') : [])),
    now: clock.now(),
  });
  await post({ method: 'DELETE', url: targetUrl, headers, body, outbound });
}
