import { probeType } from '@screen-advertising/core/webhooks';
import type { RelayContext } from '../context.ts';
import { publicId, uuidAt, uuidOf } from '../database/ids.ts';
import { isSuccess, type OutsideResponse, type Posted } from '../targets/post.ts';
import { type Addressee, sendSigned } from './send-signed.ts';
import { type OwnKey, subscriptionsAtTarget } from './take-over.ts';

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

/**
 * Whether a program at the target holds the key: it has verified a probe, and names its own address.
 * Asks only if other keys are subscribed to that target.
 */
export async function holdsKey(context: RelayContext, own: OwnKey): Promise<boolean> {
  const { token, targetUrl } = own;
  const others = subscriptionsAtTarget(context.db, own, context.clock.now());
  if (!(await others.executeTakeFirst())) return false;
  const { status, response } = await probe(context, {
    target_url: targetUrl,
    token_number: token,
  });
  return isSuccess(status) && addressIn(response) === targetUrl;
}

async function replacedState(
  context: RelayContext,
  replaced: Addressee,
  targetUrl: string,
): Promise<ReplacedState> {
  const { status, response } = await probe(context, replaced);
  if (status === 410 || response?.headers.location === targetUrl) return 'ended';
  if (!isSuccess(status)) return 'unreachable';
  return addressIn(response) === targetUrl ? 'ended' : 'separate';
}

async function probe(context: RelayContext, to: Addressee): Promise<Posted> {
  const now = context.clock.now();
  const id = publicId('evt', uuidAt(now));
  const event = { id, type: probeType, created_at: new Date(now).toISOString() };
  return sendSigned(context, to, { id, body: Buffer.from(JSON.stringify(event)), timeoutMs });
}

function addressIn(response: OutsideResponse | undefined): unknown {
  try {
    const body = String(response?.body.bytes);
    return (JSON.parse(body) as { readonly target_url?: unknown } | null)?.target_url;
  } catch {
    return undefined;
  }
}
