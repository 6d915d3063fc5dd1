import { probeType } from '@screen-advertising/core/webhooks';
import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../database/tables.ts';
import { publicId, uuidAt, uuidOf } from '../database/uuid.ts';
import type { OutsideResponse } from '../targets/post.ts';
import { sendSigned } from './send-signed.ts';

/**
 * What became of a replaced subscription with another target. `ended`: that target is gone, or leads
 * to the new one. `separate`: another receiver responds there. `unreachable`: no receiver responds
 * there now. The last two stay subscribed.
 */
export type ReplacedState = 'ended' | 'separate' | 'unreachable';

export interface Replaced {
  readonly number: number;
  readonly state: ReplacedState;
}

/** The connector waits for it while it publishes. */
const timeoutMs = 5_000;

/**
 * Asks the target of the subscription that is to be replaced for its own address. A program that
 * moved names the new target, so its old subscription can end. The original of a copy names the old
 * one, and a program that restarts names none: both keep their subscription. Undefined if there is
 * nothing to ask: the subscription is unknown, deleted, or has the same target.
 */
export async function probeReplaced(
  context: RelayContext,
  source: number,
  id: string,
  targetUrl: string,
): Promise<Replaced | undefined> {
  const replaced = await context.db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', uuidOf('sub', id) ?? null)
    .where('source_number', '=', source)
    .where('deleted_at', 'is', null)
    .where('target_url', '<>', targetUrl)
    .executeTakeFirst();
  return (
    replaced && {
      number: replaced.number,
      state: await replacedState(context, replaced, targetUrl),
    }
  );
}

async function replacedState(
  context: RelayContext,
  replaced: Selectable<SubscriptionTable>,
  targetUrl: string,
): Promise<ReplacedState> {
  const now = context.clock.now();
  const id = publicId('evt', uuidAt(now));
  const probe = { id, type: probeType, created_at: new Date(now).toISOString() };
  const { status, response } = await sendSigned(context, replaced, {
    id,
    body: Buffer.from(JSON.stringify(probe)),
    timeoutMs,
  });
  if (status === 410 || response?.headers.location === targetUrl) return 'ended';
  if (status === null || status < 200 || status >= 300) return 'unreachable';
  return addressIn(response) === targetUrl ? 'ended' : 'separate';
}

function addressIn(response: OutsideResponse | undefined): unknown {
  try {
    const body = String(response?.body.bytes);
    return (JSON.parse(body) as { readonly target_url?: unknown } | null)?.target_url;
  } catch {
    return undefined;
  }
}
