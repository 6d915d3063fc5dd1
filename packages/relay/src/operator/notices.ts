import { type ActionName, isActionName } from './actions.ts';
import type { Notice } from './layout.ts';

/** What the page says after an action; `count` is a number of deliveries. */
const texts: Readonly<Record<ActionName, (count: number) => string>> = {
  'replay-delivery': deliveries,
  'replay-event': deliveries,
  'replay-subscription': deliveries,
  'switch-off': () =>
    'Subscription switched off. Its pending deliveries are dead; you can replay them.',
  'switch-on': () =>
    'Subscription switched on. You can replay deliveries that died while it was off.',
  'add-source': () => 'Source added. Ask the Screen Advertising team to register its address.',
  'rotate-source': () => 'Signing secret replaced. The previous one works for 7 more days.',
  'create-token': () => '',
  'rotate-token': () => '',
  'revoke-token': () => 'Token revoked, and its subscriptions switched off.',
};

function deliveries(count: number): string {
  if (count === 0) return 'Nothing to replay.';
  return count === 1 ? 'Replaying 1 delivery.' : `Replaying ${count} deliveries.`;
}

/** The notice for the last action. Only an action's name and a number are taken from the URL. */
export function noticeOf(url: URL): Notice | undefined {
  const done = url.searchParams.get('done') ?? '';
  if (!isActionName(done)) return undefined;
  const text = texts[done](Number(url.searchParams.get('count')) || 0);
  return text === '' ? undefined : { kind: 'done', text };
}
