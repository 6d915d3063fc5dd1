import type { Notice } from '@screen-advertising/page-kit';
import { type ActionName, isActionName } from './actions.ts';

const added = 'Source added. Ask the Screen Advertising team to register its address.';

/** By how many secrets work now; 0 if nothing changed. */
const saved = [
  'Nothing changed: the source has this signing secret already.',
  'Signing secret saved.',
  'Signing secret saved. The previous one works for 7 more days, or longer, until a delivery is signed with the new one.',
] as const;

/** What the page says after an action; `count` is a number of deliveries. */
const texts: Readonly<Record<ActionName, (count: number, hasMore: boolean) => string>> = {
  'replay-deliveries': deliveries,
  'switch-on-and-replay': (count) => `Subscription switched on. ${deliveries(count, false)}`,
  'replay-event': deliveries,
  'replay-event-to': delivering,
  'erase-events': (count) => (count === 1 ? 'Erased 1 event.' : `Erased ${count} events.`),
  'replay-missing': (count, hasMore) =>
    count === 0 && !hasMore ? 'Nothing is missing.' : delivering(count, hasMore),
  'retry-deliveries': retries,
  'retry-subscription': retries,
  'recover-subscription': (count, hasMore) =>
    `Subscription switched on. ${deliveries(count, hasMore)}`,
  'replay-subscription': deliveries,
  'limit-subscription': () => 'Limits saved.',
  'switch-off': () =>
    'Subscription switched off. Once it is on again, it continues where it stopped.',
  'switch-on': () => 'Subscription switched on. It continues where it stopped.',
  'send-test': () => 'The subscriber accepted the test.',
  'name-source': () => added,
  'add-source': () => added,
  'rotate-source': (count) => saved[count] ?? saved[1],
  'create-token': () => '',
  'rotate-token': () => '',
  'revoke-token': () => 'Token revoked, and its subscriptions switched off.',
};

function deliveries(count: number, hasMore: boolean): string {
  if (count === 0 && hasMore) return 'The relay looks for them in the background.';
  if (count === 0) return 'Nothing to replay.';
  if (hasMore) return `Replaying ${count} deliveries, then the rest in the background.`;
  return count === 1 ? 'Replaying 1 delivery.' : `Replaying ${count} deliveries.`;
}

/** Where most had no delivery before. */
function delivering(count: number, hasMore: boolean): string {
  if (count === 0) return deliveries(count, hasMore);
  if (hasMore) return `Delivering ${count} events, then the rest in the background.`;
  return count === 1 ? 'Delivering 1 event.' : `Delivering ${count} events.`;
}

function retries(count: number, hasMore: boolean): string {
  if (count === 0) return 'No pending deliveries.';
  if (hasMore) return `Retrying ${count} deliveries, then the rest in the background.`;
  return count === 1 ? 'The next attempt starts now.' : `Retrying ${count} deliveries now.`;
}

/** The notice for the last action. Only an action's name and a number are taken from the URL. */
export function noticeOf(url: URL): Notice | undefined {
  const done = url.searchParams.get('done') ?? '';
  if (!isActionName(done)) return undefined;
  const text = texts[done](
    Number(url.searchParams.get('count')) || 0,
    url.searchParams.has('more'),
  );
  return text === '' ? undefined : { kind: 'done', text };
}
