import { relayProblem } from '@screen-advertising/core/webhooks';
import { RelayError } from '../base/relay-error.ts';
import type { RelayContext } from '../log/context.ts';
import { isSubscribed } from '../log/wants.ts';
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
      .where(isSubscribed)
      .execute();
    for (const one of known) if (one.target_url !== targetUrl) await endSubscription(context, one);
    const isKnown = known.some(({ target_url }) => target_url === targetUrl);
    if (targetUrl === undefined || isKnown) continue;
    const events = relayProblem.types;
    await subscribe(context, { source, token, targetUrl, events, name: relayProblem.title });
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
