import { type ActionName, isActionName } from './actions.ts';
import type { Notice } from './layout.ts';

/** Said once an action is done; the count is of deliveries. */
const texts: Readonly<Record<ActionName, (count: number) => string>> = {
  'replay-delivery': deliveries,
  'replay-event': deliveries,
  'replay-subscription': deliveries,
  'switch-off': () =>
    'The subscription is off. What it had not received is dead, and can be replayed.',
  'switch-on': () =>
    'The subscription is on. Deliveries that died while it was off can be replayed.',
  'add-source': () => 'The source is added. Register its address with the service.',
  'rotate-source': () => 'The new signing secret works. The previous one works for 7 more days.',
  'create-token': () => '',
  'rotate-token': () => '',
  'revoke-token': () => 'The token is revoked, and its subscriptions are off.',
};

function deliveries(count: number): string {
  if (count === 0) return 'There was nothing to replay.';
  return count === 1 ? '1 delivery is sent again.' : `${count} deliveries are sent again.`;
}

/** What the address says was done last: of its words only the name of the action and a number count. */
export function noticeOf(url: URL): Notice | undefined {
  const done = url.searchParams.get('done') ?? '';
  if (!isActionName(done)) return undefined;
  const text = texts[done](Number(url.searchParams.get('count')) || 0);
  return text === '' ? undefined : { kind: 'done', text };
}
