import { relayProblem } from '@screen-advertising/core/webhooks';
import type { RelayContext } from '../context.ts';
import { RelayError } from '../relay-error.ts';
import { subscribe } from '../subscriptions/subscribe.ts';
import { deleteSubscription } from '../subscriptions/unsubscribe.ts';
import type { TargetRules } from '../targets/target-rules.ts';
import { tokenAdmin } from './tokens.ts';

/** Signs what goes to the address. Rotate it to see its secret. */
const tokenName = 'relay problems';

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
  const { db, clock, problemUrl: url } = context;
  for (const { number: source, name } of await db.selectFrom('source').selectAll().execute()) {
    const token = await tokenOf(context, source, name, url !== undefined);
    if (token === undefined) continue;
    const known = await db
      .selectFrom('subscription')
      .select(['number', 'target_url'])
      .where('token_number', '=', token)
      .where('deleted_at', 'is', null)
      .execute();
    for (const { number, target_url } of known) {
      if (target_url !== url) await deleteSubscription(db, number, clock.now());
    }
    if (url === undefined || known.some(({ target_url }) => target_url === url)) continue;
    const events = relayProblem.types;
    await subscribe(context, { source, token, targetUrl: url, events, name: relayProblem.title });
  }
}

/** Undefined if there is none, or it was revoked. */
async function tokenOf(
  context: RelayContext,
  source: number,
  sourceName: string,
  mustExist: boolean,
): Promise<number | undefined> {
  const find = () =>
    context.db
      .selectFrom('token')
      .select(['number', 'revoked_at'])
      .where('source_number', '=', source)
      .where('name', '=', tokenName)
      .executeTakeFirst();
  let token = await find();
  if (!token && mustExist) {
    // Another process may create it at the same time.
    await tokenAdmin(context)
      .create(sourceName, tokenName)
      .catch(() => undefined);
    token = await find();
  }
  return token?.revoked_at === null ? token.number : undefined;
}
