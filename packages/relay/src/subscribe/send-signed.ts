import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../log/database/subscription-tables.ts';
import { openSecrets } from '../log/secrets/open-secrets.ts';
import { type Posted, post } from './targets/post.ts';
import { requestHeaders } from './targets/request-headers.ts';

/** Where it goes, and whose secret signs it. */
export type Addressee = Pick<Selectable<SubscriptionTable>, 'target_url' | 'token_number'>;

interface Message {
  /** Sent as `webhook-id`. */
  readonly id: string;
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Sends a signed request, which is not a delivery, to the target of a subscription. */
export async function sendSigned(
  { db, box, clock, outbound }: RelayContext,
  { target_url: url, token_number }: Addressee,
  { id, body, headers, timeoutMs = outbound.timeoutMs }: Message,
): Promise<Posted> {
  const sealed = await db
    .selectFrom('token')
    .select(['secret', 'previous_secret', 'previous_until'])
    .where('number', '=', token_number)
    .executeTakeFirstOrThrow();
  const secrets = openSecrets({ box, clock }, sealed, 'token');
  return post({
    url,
    headers: { ...headers, ...requestHeaders({ id, body, secrets, now: clock.now() }) },
    body,
    outbound: { ...outbound, timeoutMs: Math.min(timeoutMs, outbound.timeoutMs) },
  });
}
