import { type EventName, events } from '@screen-advertising/core';
import { isRelayProblem, relayProblem, testWebhookId } from '@screen-advertising/core/webhooks';
import type { Selectable } from 'kysely';
import type { TestResult } from '../base/contract.ts';
import { publicId, uuidAt } from '../base/ids.ts';
import { openSecrets } from '../base/secrets.ts';
import type { SubscriptionTable } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';
import { everyEvent } from '../log/wants.ts';
import { ignoredReason, isSuccess, post, requestHeaders } from '../outbound/post.ts';

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
export async function sendTest(
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
  const secrets = openSecrets(context, sealed, 'token');
  const signed = requestHeaders({ id: testWebhookId(id), body, secrets, now: clock.now() });
  const headers = { 'x-relay-test': is_sample ? 'sample' : 'stored', ...signed };
  const posted = await post({ url: subscription.target_url, headers, body, outbound });
  const { status, error, durationMs } = posted;
  const delivered = isSuccess(status);
  const ignored = delivered ? ignoredReason(posted) : null;
  const failure = delivered ? null : (error ?? `responded with status ${status}`);
  return { delivered, ignored, ...result, status, error: failure, duration_ms: durationMs };
}

async function newestEvent(
  { db }: RelayContext,
  { source_number, events: kinds }: Selectable<SubscriptionTable>,
): Promise<TestEvent | undefined> {
  // One query per kind: the index is ordered only within a kind.
  const newest = await Promise.all(
    kinds.map((kind) =>
      db
        .selectFrom('event')
        .select(['id', 'position', 'type', 'body'])
        .where('source_number', '=', source_number)
        .where('body', 'is not', null)
        .orderBy('source_number', 'desc')
        .$if(kind !== everyEvent, (query) => query.where('type', '=', kind).orderBy('type', 'desc'))
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  const [event] = newest
    .filter((row) => row !== undefined)
    .sort((a, b) => Number(BigInt(b.position) - BigInt(a.position)));
  if (!event?.body) return undefined;
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
  const data = isRelayProblem(type)
    ? relayProblem.sample
    : Object.hasOwn(events, type)
      ? events[type as EventName].sample
      : {};
  const body = { id, type, created_at: new Date(now).toISOString(), is_sample: true, data };
  return { id, type, body: Buffer.from(JSON.stringify(body)), is_sample: true };
}
