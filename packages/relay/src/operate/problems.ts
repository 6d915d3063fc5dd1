import { parseEvent } from '@screen-advertising/core';
import { escapeInvisible } from '@screen-advertising/core/platform';
import {
  eventKey,
  type RelayProblemEventName,
  relayProblemEventKind,
} from '@screen-advertising/core/webhooks';
import { sql } from 'kysely';
import { publicId, subscriptionId } from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import { reasonText } from '../base/stored-values.ts';
import type { RelayContext } from '../log/context.ts';
import { searchHashes } from '../log/search.ts';
import { EventStore } from '../log/store.ts';
import { sqlIsSubscribed } from '../log/wants.ts';
import { normalizeTarget, type TargetRules } from '../outbound/targets.ts';
import { subscribe } from '../subscribe/subscribe.ts';
import { endSubscription } from '../subscribe/switch-off.ts';
import { problemTokenName, Tokens } from './tokens.ts';

export function checkProblemUrl(url: string, rules: TargetRules): void {
  const fault = rules.whyNot(url);
  if (fault === undefined) return;
  throw new RelayError('configuration', `RELAY_PROBLEM_URL: ${fault}.`);
}

/**
 * Subscribes the operator's address to the problems of every source, in place of an earlier address.
 * One that the operator switched off stays off.
 */
export async function followProblemUrl(context: RelayContext): Promise<void> {
  const { db, problemUrl } = context;
  const targetUrl = problemUrl === undefined ? undefined : normalizeTarget(problemUrl);
  for (const { number: source, name } of await db.selectFrom('source').selectAll().execute()) {
    const token = await tokenOf(context, source, name, targetUrl !== undefined);
    if (token === undefined) continue;
    const known = await db
      .selectFrom('subscription')
      .select(['id', 'generation', 'target_url'])
      .where('token_number', '=', token)
      .where(sqlIsSubscribed)
      .execute();
    for (const one of known) if (one.target_url !== targetUrl) await endSubscription(context, one);
    const isKnown = known.some(({ target_url }) => target_url === targetUrl);
    if (targetUrl === undefined || isKnown) continue;
    const events = relayProblemEventKind.types;
    await subscribe(context, {
      source,
      token,
      targetUrl,
      events,
      name: relayProblemEventKind.title,
    });
  }
}

/** Undefined if there is none, or it was revoked. */
async function tokenOf(
  context: RelayContext,
  source: number,
  sourceName: string,
  mustExist: boolean,
): Promise<number | undefined> {
  const create = () => new Tokens(context).create(sourceName, problemTokenName);
  // It may exist already.
  if (mustExist) await create().catch(() => undefined);
  const token = await context.db
    .selectFrom('token')
    .select('number')
    .where('source_number', '=', source)
    .where('name', '=', problemTokenName)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return token?.number;
}

interface Problem {
  readonly type: RelayProblemEventName;
  readonly subscription: number;
  readonly subscriptionId: string;
  readonly generation: number;
  readonly name: string | null;
  readonly targetUrl: string;
  readonly source: number;
  readonly count: number;
  readonly at: Date;
  readonly offReason: string | null;
  /** The event whose delivery failed last, or switched the subscription off, and why. */
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly error: string | null;
  /** Other subscriptions of the source with such a problem, if this is the last report for now. */
  readonly others: number;
}

const hour = 3_600_000;
/** Reports of each kind and source. A relay without a network must not flood a chat. */
const maxPerHour = 20;

/**
 * The oldest problem that still exists, was not reported in the last hour, and has a subscriber. Problems that
 * are over, because a subscription works again, is on again or was deleted, are forgotten. So is a 410 of a
 * target whose token has another active subscription of the same name: as of a Zap that was turned off and on.
 */
async function nextProblem({ db, clock }: RelayContext): Promise<Problem | undefined> {
  await sql`
    UPDATE problem SET count = 0 FROM subscription
    JOIN lease ON lease.subscription_number = subscription.number
    WHERE problem.count > 0 AND subscription.number = problem.subscription_number AND (
      subscription.off_reason = 'unsubscribed'
      OR problem.type = 'relay.subscription_off' AND (subscription.state = 'active'
        OR subscription.off_reason = 'gone' AND EXISTS (
          SELECT FROM subscription AS next
          WHERE next.token_number = subscription.token_number AND next.name = subscription.name
            AND next.state = 'active'))
      OR problem.type = 'relay.subscription_failing'
        AND (subscription.state = 'off' OR lease.failing_since IS NULL)
    )`.execute(db);
  const { rows } = await sql<Problem>`
    WITH candidate AS (
      SELECT problem.*, subscription.source_number FROM problem
      JOIN subscription ON subscription.number = problem.subscription_number
    ), reported AS (
      SELECT source_number, type, count(*)::integer AS count FROM candidate
      WHERE reported_at > ${new Date(clock.now() - hour)} GROUP BY source_number, type
    )
    SELECT candidate.type, candidate.count, candidate.at, subscription.number AS subscription,
      subscription.id AS "subscriptionId", subscription.generation, subscription.name, subscription.target_url AS "targetUrl",
      subscription.source_number AS source, subscription.off_reason AS "offReason",
      event.id AS "eventId", event.type AS "eventType", last.error,
      CASE reported.count WHEN ${maxPerHour - 1} THEN (
        SELECT count(*) - 1 FROM candidate AS other WHERE other.count > 0
          AND other.type = candidate.type AND other.source_number = candidate.source_number
      ) ELSE 0 END::integer AS others
    FROM candidate
    JOIN subscription ON subscription.number = candidate.subscription_number
    LEFT JOIN reported ON reported.source_number = candidate.source_number AND reported.type = candidate.type
    LEFT JOIN LATERAL (
      SELECT event.position FROM event WHERE event.id = candidate.event_id
      UNION ALL
      (SELECT position FROM delivery
        WHERE subscription_number = subscription.number AND attempts > 0
          AND candidate.type = 'relay.subscription_off'
          AND state = CASE subscription.off_reason WHEN 'gone' THEN 'dead' WHEN 'failing' THEN 'pending' END
        ORDER BY position DESC LIMIT 1)
      LIMIT 1
    ) AS failed ON true
    LEFT JOIN event ON event.source_number = subscription.source_number AND event.position = failed.position
    LEFT JOIN LATERAL (
      SELECT attempt.error FROM attempt
      WHERE attempt.source_number = event.source_number AND attempt.position = event.position
        AND attempt.subscription_number = subscription.number
      ORDER BY attempt.number DESC LIMIT 1
    ) AS last ON true
    WHERE candidate.count > 0
      AND (candidate.reported_at IS NULL OR candidate.reported_at <= ${new Date(clock.now() - hour)})
      AND coalesce(reported.count, 0) < ${maxPerHour}
      AND EXISTS (
        SELECT FROM subscription AS reader
        WHERE reader.source_number = subscription.source_number
          AND reader.state = 'active'
          AND reader.events && ARRAY[candidate.type]
      )
    ORDER BY candidate.at, candidate.subscription_number, candidate.type LIMIT 1`.execute(db);
  return rows[0];
}

/** Problems since it was read remain for the next report. */
async function markReported({ db, clock }: RelayContext, problem: Problem): Promise<void> {
  const { type, subscription, count, at } = problem;
  const now = new Date(clock.now());
  await sql`
    UPDATE problem SET count = count - ${count}, reported_at = ${now},
      at = CASE WHEN count > ${count} THEN ${now}::timestamptz ELSE at END
    WHERE subscription_number = ${subscription} AND type = ${type} AND at = ${at}
      AND count >= ${count}`.execute(db);
}

/**
 * Stores an event about each new problem, which is delivered like any event. A process that dies
 * after it stored one reports it again, with the same ID.
 */
export async function reportProblems(
  context: RelayContext,
  publicUrl: string | undefined,
  mustStop: () => boolean,
): Promise<void> {
  const store = new EventStore(context);
  await findFailing(context);
  while (!mustStop()) {
    const problem = await nextProblem(context);
    if (!problem) return;
    const now = context.clock.now();
    const body = Buffer.from(JSON.stringify(problemEvent(problem, now, publicUrl)));
    const event = parseEvent(body);
    await store.write({
      source: problem.source,
      key: eventKey(event, body),
      type: event.type,
      body,
      searchHashes: searchHashes(problem.source, event),
      signedAt: now,
    });
    await markReported(context, problem);
  }
}

/**
 * The body of the event about a problem. Its ID is the same whichever process reports it, so it is
 * stored once. Chat programs show `text`.
 */
function problemEvent(problem: Problem, now: number, publicUrl: string | undefined) {
  const { type, targetUrl, count, at, eventId, eventType } = problem;
  const id = idOf(problem);
  const page = publicUrl && `${publicUrl}/operator/subscriptions/${id}`;
  const message = messageOf(problem);
  return {
    id: `${type}:${publicId('sub', problem.subscriptionId)}:${at.getTime()}`,
    type,
    created_at: new Date(now).toISOString(),
    text: page ? `${plain(message)} ${page}` : plain(message),
    data: {
      message,
      problem: type.replace('relay.', ''),
      subscription_id: id,
      subscription_name: nameOf(problem),
      target_host: new URL(targetUrl).host,
      reason: reasonOf(problem),
      since: at.toISOString(),
      ...(type === 'relay.delivery_dead' && { deliveries: count }),
      ...(eventId && { event_id: publicId('evt', eventId), event_type: eventType }),
      ...(page && { page_url: page }),
    },
  };
}

function messageOf(problem: Problem): string {
  const { type, targetUrl, count, at, eventType, others } = problem;
  const who = `"${nameOf(problem)}" (${new URL(targetUrl).host})`;
  const why = reasonOf(problem);
  const since = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const deliveries =
    count === 1
      ? `A delivery of ${eventType ?? 'an event'}`
      : `${count} deliveries, the last one of ${eventType ?? 'an event'},`;
  const message = {
    'relay.subscription_failing': `${who} has not accepted an event since ${since}: ${why}. The relay retries, and switches the subscription off after five days.`,
    'relay.subscription_off': `${who} gets no more events: ${why}${eventType === null ? '' : `, the last time for ${eventType}`}. Fix the cause, then switch the subscription on and recover.`,
    'relay.delivery_dead': `${deliveries} to ${who} failed for good: ${why}. Fix the cause, then redeliver.`,
  }[type];
  return others === 0
    ? message
    : `${message} ${others} other subscriptions have the same problem: see the relay's page.`;
}

function reasonOf({ type, offReason, error, targetUrl }: Problem): string {
  if (type !== 'relay.subscription_off') return error ?? 'every attempt failed';
  const reason = reasonText(offReason, targetUrl);
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}

function nameOf(problem: Problem): string {
  return escapeInvisible(problem.name ?? idOf(problem));
}

function idOf({ subscriptionId: id, generation }: Problem): string {
  return subscriptionId({ id, generation });
}

/** Without what a chat program reads as a mention or a link: a subscriber chooses its name. */
function plain(message: string): string {
  return escapeInvisible(message.replace(/[<>@[\]`*|]/g, ' '));
}

const failing: RelayProblemEventName = 'relay.subscription_failing';

/** A restart of n8n takes less. */
const leastMs = 5 * 60_000;
const leastFailures = 3;
const batchSize = 1_000;
/** Deliveries of a subscription in which to look for a failed one; those wait the longest. */
const maxScan = 100;

/**
 * Notes subscriptions that have accepted nothing for five minutes, once until they accept something.
 * Deliveries of problems do not count: each would cause the next one.
 */
async function findFailing({ db, clock }: RelayContext): Promise<void> {
  const since = new Date(clock.now() - leastMs);
  await sql`
    INSERT INTO problem (subscription_number, type, count, at, event_id)
    SELECT subscription.number, ${failing}, 1, lease.failing_since, failed.id
    FROM subscription
    JOIN lease ON lease.subscription_number = subscription.number
    CROSS JOIN LATERAL (
      SELECT event.id FROM (
        SELECT * FROM delivery
        WHERE subscription_number = subscription.number AND state = 'pending'
        ORDER BY next_at DESC LIMIT ${maxScan}
      ) AS waiting
      JOIN event ON event.source_number = waiting.source_number
        AND event.position = waiting.position
      WHERE waiting.attempts > 0 AND event.type NOT LIKE 'relay.%'
      ORDER BY waiting.next_at DESC LIMIT 1
    ) AS failed
    WHERE subscription.state = 'active'
      AND lease.failing_since <= ${since}
      AND lease.failures_in_a_row >= ${leastFailures}
      AND NOT EXISTS (
        SELECT FROM problem AS known
        WHERE known.subscription_number = subscription.number AND known.type = ${failing}
          AND known.at >= lease.failing_since
      )
    ORDER BY subscription.number LIMIT ${batchSize}
    ON CONFLICT (subscription_number, type)
      DO UPDATE SET count = 1, at = excluded.at, event_id = excluded.event_id`.execute(db);
}
