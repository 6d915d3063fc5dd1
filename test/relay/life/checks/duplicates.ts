import type { Attempted } from './arrivals.ts';
import { type Findings, nameOf } from './findings.ts';

/**
 * A row accepts an event once, and again for each redelivery. Beyond that, the same `webhook-id`
 * arrives again for one of three reasons: a process took the row's lease from one that was killed or
 * paused, the row was pruned in between, or the relay got no response in time.
 */
export function duplicatesFound(findings: Findings, attempted: readonly Attempted[]) {
  const accepted = attempted.filter(({ arrival }) => arrival.status === 200);
  const byId = Map.groupBy(
    accepted,
    ({ token, target, arrival }) => `${token} ${target} ${arrival.webhookId}`,
  );
  const found = { taken: 0, pruned: 0, timedOut: 0 };
  const violations: string[] = [];
  for (const all of byId.values()) {
    all.sort((one, other) => one.arrival.at - other.arrival.at);
    for (const [nth, one] of all.slice(1).entries()) {
      const why = whyAgain(findings, all[nth] as Attempted, one);
      if (why) found[why] += 1;
      else violations.push(`${nameOf(one)}: event ${one.event} was accepted again`);
    }
  }
  return {
    figures: {
      againAfterTakeover: found.taken,
      againAfterPrune: found.pruned,
      againAfterTimeout: found.timedOut,
    },
    violations: [...violations, ...recordedTwice(findings)],
  };
}

/** Before the first one arrived, its process may have been killed. */
const reachMs = 1_000;

function whyAgain(findings: Findings, first: Attempted, second: Attempted) {
  const isBetween = ({ at }: { readonly at: number }) =>
    at >= first.arrival.at - reachMs && at <= second.arrival.at + 1;
  const changes = findings.changesOf(first);
  if (changes.some((change) => change.after === null && isBetween(change))) return 'pruned';
  const numbers = new Set(changes.map(({ before, after }) => (after ?? before)?.number));
  const isTaken = findings.audit.leases.some(
    (change) =>
      numbers.has(change.after?.subscription_number) &&
      change.before?.owner &&
      change.after?.owner &&
      change.before.owner !== change.after.owner &&
      isBetween(change),
  );
  if (isTaken) return 'taken';
  const position = findings.positionOf(first.event);
  const hasTimedOut = findings.attempts.some(
    (one) => one.hasTimedOut && numbers.has(one.subscription) && one.position === position,
  );
  return hasTimedOut ? 'timedOut' : undefined;
}

/** What the relay recorded as accepted, it does not send again, whatever was killed. */
function recordedTwice({ attempts, audit }: Findings): readonly string[] {
  const counts = Map.groupBy(
    attempts.filter(({ status }) => status === 200),
    ({ subscription, position }) => `${subscription} ${position}`,
  );
  return [...counts].flatMap(([key, all]) => {
    const redeliveries = audit.deliveries.filter(
      ({ before, after }) =>
        before !== null &&
        after !== null &&
        `${after.subscription_number} ${after.position}` === key &&
        after.replays > before.replays,
    );
    return all.length > 1 + redeliveries.length
      ? [`row and position ${key} were recorded as accepted ${all.length} times`]
      : [];
  });
}
