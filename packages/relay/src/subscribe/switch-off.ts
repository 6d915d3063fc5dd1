import { conflictReasons } from '@screen-advertising/core/relay-contract';
import type { RelayProblemEventName } from '@screen-advertising/core/webhooks';
import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { publicId, readSubscriptionId, type SubscriptionId } from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import { retryOnConflict, sqlIf } from '../base/statements.ts';
import type { OffReason } from '../base/stored-values.ts';
import type { SubscriptionTable, Tables } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';
import { keepFromPruning } from '../log/prune.ts';
import { sqlIsSubscribed } from '../log/wants.ts';
import { postDelivery, signedDeliveryHeaders } from '../outbound/post.ts';
import { changeInTransaction, restartSubscription } from './change.ts';
import { findSubscriptionInAnyState } from './records.ts';
import type { AccessScope } from './rights.ts';

type Subscription = Selectable<SubscriptionTable>;

const off: RelayProblemEventName = 'relay.subscription_off';

interface SwitchingOff {
  readonly reason: OffReason;
  readonly now: number;
  /** The start that the reason is about: it says nothing about a later one. */
  readonly starts?: number;
}

/**
 * Switches subscriptions off, and returns those that were on. No event is delivered to them from now on. Each
 * keeps its position, so it continues there once it is on again. One that is already off keeps its
 * reason.
 */
export async function switchOff(
  db: Kysely<Tables>,
  subscriptions: readonly number[],
  { reason, now, starts }: SwitchingOff,
): Promise<readonly number[]> {
  if (subscriptions.length === 0) return [];
  // Locked by number, as results do. In another order, each could wait for the other.
  const { rows } = await sql<{ number: number }>`
    UPDATE subscription SET state = 'off', off_reason = ${reason}, stopped_at = ${new Date(now)}
    WHERE number IN (
      SELECT number FROM subscription
      WHERE number = ANY (${subscriptions}::integer[]) AND state = 'active'
        ${sqlIf(starts, (start) => sql`AND starts = ${start}`)}
      ORDER BY number FOR NO KEY UPDATE
    ) RETURNING number`.execute(db);
  const numbers = rows.map(({ number }) => number);
  await noteSwitchedOff(db, numbers, now);
  return numbers;
}

/**
 * Has the maintenance report that these subscriptions are off, unless they get only problems of the
 * relay: otherwise its own failure would cause the next event for it.
 */
async function noteSwitchedOff(
  db: Kysely<Tables>,
  subscriptions: readonly number[],
  now: number,
): Promise<void> {
  await sql`
    INSERT INTO problem (subscription_number, type, count, at)
    SELECT number, ${off}, 1, ${new Date(now)} FROM subscription
    WHERE number = ANY(${subscriptions}::integer[]) AND EXISTS (
      SELECT FROM unnest(subscription.events) AS wanted WHERE wanted NOT LIKE 'relay.%'
    )
    ORDER BY number
    ON CONFLICT (subscription_number, type) DO UPDATE SET count = 1, at = excluded.at`.execute(db);
}

const batchSize = 1_000;

type KeyEnd = 'token_revoked' | 'key_rotated';

/**
 * Switches off the subscriptions whose connector has no valid key: those of revoked tokens, also the
 * ones that a request created while its token was revoked, and those of a rotated key that expired
 * before anyone used the new one.
 */
export async function switchOffSubscriptionsWithoutKey(
  context: RelayContext,
  mustStop: () => boolean,
): Promise<void> {
  for (const reason of ['token_revoked', 'key_rotated'] as const) {
    for (let count = batchSize; count === batchSize && !mustStop(); ) {
      count = await switchOffBatch(context, reason);
    }
  }
}

/** Returns how many; fewer than 1,000 if none are left. Does not wait for the notices to their targets. */
export async function switchOffBatch(context: RelayContext, reason: KeyEnd): Promise<number> {
  const now = context.clock.now();
  const ended = await retryOnConflict(() =>
    context.db.transaction().execute(async (transaction) => {
      // The first use of the new key switches on what it finds off, so it comes before or after.
      const { rows } = await sql<{ number: number }>`
        SELECT subscription.number FROM subscription
        JOIN token ON token.number = subscription.token_number
        WHERE subscription.state = 'active' AND ${hasEnded(reason, now)}
        LIMIT ${batchSize} FOR SHARE OF token`.execute(transaction);
      const numbers = rows.map(({ number }) => number);
      return switchOff(transaction, numbers, { reason, now });
    }),
  );
  void context.clock.track(sendEndNotices(context, ended).catch(context.report));
  return ended.length;
}

/** SQL for a token without a valid key, or only with one that was not used yet. */
function hasEnded(reason: KeyEnd, now: number): RawBuilder<SqlBool> {
  return reason === 'token_revoked'
    ? sql`token.revoked_at IS NOT NULL`
    : sql`token.has_unused_key AND token.previous_until <= ${new Date(now)}`;
}

/** A start: what its sender learned before says nothing about it any more. */
const on = sql`state = 'active', off_reason = NULL, stopped_at = NULL,
  starts = subscription.starts + 1`;

type Started = Pick<Subscription, 'number' | 'starts'>;

/**
 * Switches a subscription off or on for an operator. Off stops its deliveries at once; on continues
 * where it stopped, with what a pruning under way has left.
 * Throws a RelayError (`conflict`) if its token has no valid key, or its subscriber has ended it.
 */
export async function switchOffOrOnByOperator(
  context: RelayContext,
  { number, source_number: source }: Pick<Subscription, 'number' | 'source_number'>,
  state: 'active' | 'off',
): Promise<void> {
  const now = context.clock.now();
  await changeInTransaction(context, async (transaction) => {
    if (state === 'off') {
      await switchOff(transaction, [number], { reason: 'by_hand', now });
      return;
    }
    await keepFromPruning(transaction, source);
    const { rows } = await sql<Started>`
      UPDATE subscription SET ${on} FROM token
      WHERE subscription.number = ${number} AND token.number = subscription.token_number
        AND ${sqlIsSubscribed} AND NOT (${hasEnded('token_revoked', now)})
        AND (${hasEnded('key_rotated', now)}) IS NOT TRUE
      RETURNING subscription.number, subscription.starts`.execute(transaction);
    const [started] = rows;
    if (started) return restartSubscription(transaction, started);
    throw await whyNotOn(transaction, number, now);
  });
}

async function whyNotOn(db: Kysely<Tables>, number: number, now: number): Promise<RelayError> {
  const { rows } = await sql<{ isRevoked: boolean; isRotated: boolean }>`
    SELECT ${hasEnded('token_revoked', now)} AS "isRevoked", ${hasEnded('key_rotated', now)} AS "isRotated"
    FROM subscription JOIN token ON token.number = subscription.token_number
    WHERE subscription.number = ${number}`.execute(db);
  const [row] = rows;
  if (row?.isRevoked) return new RelayError('conflict', conflictReasons.switchRevoked);
  if (row?.isRotated) return new RelayError('conflict', conflictReasons.switchRotated);
  return new RelayError('not_found', 'The subscription was deleted.');
}

interface UsedToken {
  readonly token: number;
  readonly source: number;
}

/** For tokens whose new key is used for the first time. What the rotation switched off continues. */
export async function switchOnAfterKeyRotation(
  context: Pick<RelayContext, 'db' | 'changed'>,
  used: readonly UsedToken[],
): Promise<void> {
  const tokens = used.map(({ token }) => token);
  await changeInTransaction(context, async (transaction) => {
    for (const { source } of used) await keepFromPruning(transaction, source);
    await transaction
      .updateTable('token')
      .set({ has_unused_key: false })
      .where('number', 'in', tokens)
      .execute();
    // A separate statement: it sees what was switched off while the first one waited.
    const { rows: started } = await sql<Started>`
      UPDATE subscription SET ${on}
      WHERE number IN (
        SELECT number FROM subscription
        WHERE token_number = ANY (${tokens}::integer[]) AND off_reason = 'key_rotated'
        ORDER BY number FOR NO KEY UPDATE
      ) RETURNING number, starts`.execute(transaction);
    for (const one of started) await restartSubscription(transaction, one);
  });
}

/**
 * Ends a subscription within the scope, and accepts one that has ended, or has been subscribed again
 * since its ID was given: that one stays. Throws a RelayError for any other.
 */
export async function unsubscribe(
  context: RelayContext,
  scope: AccessScope,
  id: string,
): Promise<void> {
  await findSubscriptionInAnyState(context, scope, id);
  const known = readSubscriptionId(id);
  if (known) await endSubscription(context, known);
  context.changed();
}

/** It keeps its position and its deliveries, for the case that it is subscribed again. */
export async function endSubscription(
  { db, clock }: Pick<RelayContext, 'db' | 'clock'>,
  { id, generation }: SubscriptionId,
): Promise<void> {
  await db
    .updateTable('subscription')
    .set({ state: 'off', off_reason: 'unsubscribed', stopped_at: new Date(clock.now()) })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('off_reason', 'is distinct from', 'unsubscribed')
    .execute();
}

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
async function sendEndNotices(
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
  const headers = signedDeliveryHeaders({
    id: publicId('end', id),
    body,
    secrets: secrets.flatMap((sealed) => (sealed ? box.open(sealed, 'token') : [])),
    now: clock.now(),
  });
  await postDelivery({ method: 'DELETE', url: targetUrl, headers, body, outbound });
}
