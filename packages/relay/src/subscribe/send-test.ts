import { type EventName, events } from '@screen-advertising/core';
import {
  isRelayProblemEventName,
  relayProblemEventKind,
  webhookIdOfTest,
} from '@screen-advertising/core/webhooks';
import { type Selectable, sql } from 'kysely';
import type { TestResult } from '../base/contract.ts';
import { publicId, uuidAt } from '../base/ids.ts';
import { decryptSecrets } from '../base/secrets.ts';
import type { EventTable, SubscriptionTable } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';
import { everyEvent } from '../log/wants.ts';
import { ignoredReason, isSuccess, postDelivery, signedDeliveryHeaders } from '../outbound/post.ts';

interface TestEvent {
  readonly id: string;
  readonly type: string;
  readonly body: Uint8Array;
  readonly is_sample: boolean;
}

/**
 * Sends the newest stored event of the subscription's kinds, or a sample, to its target now. It does
 * not count as a delivery: it is not stored and not retried.
 */
export async function sendTestEvent(
  context: RelayContext,
  subscription: Selectable<SubscriptionTable>,
): Promise<TestResult> {
  const event = (await newestEvent(context, subscription)) ?? sampleEvent(context, subscription);
  const { id, type, body, is_sample } = event;
  const result = { event_id: id, event_type: type, is_sample };
  const { db, clock, outbound } = context;
  const sealed = await db
    .selectFrom('token')
    .select(['secret', 'previous_secret', 'previous_until'])
    .where('number', '=', subscription.token_number)
    .executeTakeFirstOrThrow();
  const secrets = decryptSecrets(context, sealed, 'token');
  const signed = signedDeliveryHeaders({
    id: webhookIdOfTest(id),
    body,
    secrets,
    now: clock.now(),
  });
  const headers = { 'x-relay-test': is_sample ? 'sample' : 'stored', ...signed };
  const posted = await postDelivery({ url: subscription.target_url, headers, body, outbound });
  const { status, error, durationMs } = posted;
  const delivered = isSuccess(status);
  const ignored = delivered ? ignoredReason(posted) : null;
  const failure = delivered ? null : (error ?? `responded with status ${status}`);
  return { delivered, ignored, ...result, status, error: failure, duration_ms: durationMs };
}

type Stored = Pick<Selectable<EventTable>, 'id' | 'type'> & { readonly body: Buffer };

async function newestEvent(
  { db }: RelayContext,
  { source_number, events: kinds }: Selectable<SubscriptionTable>,
): Promise<TestEvent | undefined> {
  // Kind by kind: the index is ordered only within a kind.
  const { rows } = await sql<Stored>`
    SELECT newest.* FROM unnest(${kinds}::text[]) AS wanted (kind) CROSS JOIN LATERAL (
      (SELECT id, position, type, body FROM event
        WHERE kind <> '*' AND source_number = ${source_number} AND type = kind AND body IS NOT NULL
        ORDER BY source_number DESC, type DESC, position DESC LIMIT 1)
      UNION ALL
      (SELECT id, position, type, body FROM event
        WHERE kind = '*' AND source_number = ${source_number} AND body IS NOT NULL
        ORDER BY source_number DESC, position DESC LIMIT 1)
    ) AS newest
    ORDER BY newest.position DESC LIMIT 1`.execute(db);
  const [event] = rows;
  if (!event) return undefined;
  const { id, type, body } = event;
  return { id: publicId('evt', id), type, body, is_sample: false };
}

/** A sample event of the first kind, also marked in its body. */
function sampleEvent(
  { clock }: RelayContext,
  { events: kinds }: Selectable<SubscriptionTable>,
): TestEvent {
  const now = clock.now();
  const [first = ''] = kinds;
  const type = first === everyEvent ? 'campaign.paid' : first;
  const id = publicId('evt', uuidAt(now));
  const data = isRelayProblemEventName(type)
    ? relayProblemEventKind.sample
    : Object.hasOwn(events, type)
      ? events[type as EventName].sample
      : {};
  const body = { id, type, created_at: new Date(now).toISOString(), is_sample: true, data };
  return { id, type, body: Buffer.from(JSON.stringify(body)), is_sample: true };
}
