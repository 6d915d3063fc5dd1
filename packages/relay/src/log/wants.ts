import { type RawBuilder, sql } from 'kysely';
import { higherPosition, lowerPosition } from './positions.ts';

/** Stands for every event of the service, including those that it adds later. */
export const everyEvent = '*';

/** Names of events, and the position after which a subscription wants each. */
interface Wants {
  readonly events: readonly string[];
  readonly since: readonly string[];
}

type Since = ReadonlyMap<string, string>;

/**
 * The wants of a subscription that asks for other names. One that it wanted before, by its name or by
 * "*", keeps its position; any other starts at `end`. Beside a new "*", a name keeps its earlier
 * position until the subscription has `reached` that of "*".
 */
export function updateWants(
  before: Wants,
  names: readonly string[],
  { end, reached }: { readonly end: string; readonly reached: string },
): { events: string[]; since: string[] } {
  const known = sinceOf(before);
  const next = new Map(names.map((name) => [name, earliest(known, name) ?? end]));
  const ofAll = next.get(everyEvent);
  if (ofAll !== undefined && BigInt(reached) < BigInt(ofAll)) {
    for (const [name, since] of known) {
      if (isCovered(name) && BigInt(since) < BigInt(ofAll)) next.set(name, since);
    }
  }
  return asColumns(next);
}

/** The wants of both: names of either that the other has, too, from where the first one is. */
export function commonWants(first: Wants, position: string, second: readonly string[]) {
  const both = new Map<string, string>();
  const names = new Set(second);
  const add = (name: string, since: string) => {
    const start = higherPosition(since, position);
    const known = both.get(name);
    both.set(name, known === undefined ? start : lowerPosition(known, start));
  };
  for (const [name, since] of sinceOf(first)) {
    if (names.has(name) || (names.has(everyEvent) && isCovered(name))) add(name, since);
    if (name !== everyEvent) continue;
    for (const one of names) if (isCovered(one)) add(one, since);
  }
  return asColumns(both);
}

/** The names that it had, and that neither they nor "*" are among the next ones. */
export function removedEventNames(
  before: readonly string[],
  next: readonly string[],
): readonly string[] {
  return before.filter(
    (name) => !next.includes(name) && !(next.includes(everyEvent) && isCovered(name)),
  );
}

/** The names that a subscriber asked for: those beside "*" are only remembered. */
export function requestedNames(events: readonly string[]): string[] {
  return events.filter((name) => !(events.includes(everyEvent) && isCovered(name)));
}

/** Whether "*" stands for it, too. */
function isCovered(name: string): boolean {
  return name !== everyEvent && !name.startsWith('relay.');
}

function earliest(known: Since, name: string): string | undefined {
  const own = known.get(name);
  const ofAll = isCovered(name) ? known.get(everyEvent) : undefined;
  return own !== undefined && ofAll !== undefined ? lowerPosition(own, ofAll) : (own ?? ofAll);
}

function sinceOf({ events, since }: Wants): Since {
  return new Map(events.map((name, nth) => [name, since[nth] ?? '0']));
}

function asColumns(wants: Since): { events: string[]; since: string[] } {
  const events = [...wants.keys()].sort();
  return { events, since: events.map((name) => wants.get(name) ?? '0') };
}

/**
 * SQL for the names in a subscription that stand for an event of this type. "*" stands for every
 * event of the service, not for the problems of the relay: a program that gets them must expect them.
 */
export function sqlNamesForType(type: string): string {
  return `ARRAY[${type}, CASE WHEN ${type} LIKE 'relay.%' THEN ${type} ELSE '*' END]`;
}

/** SQL for an event that comes after the position from which its type is wanted. */
export function sqlIsDesired(wants: {
  readonly events: readonly string[];
  readonly since: readonly string[];
}): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (
    SELECT FROM unnest(${wants.events}::text[], ${wants.since}::bigint[]) AS wanted (name, since)
    WHERE wanted.name = ANY (${sql.raw(sqlNamesForType('event.type'))}) AND event.position > wanted.since
  )`;
}

/** SQL for a subscription that gets events. */
export const sqlIsActive = "subscription.state = 'active'";

/** SQL for a subscription that its subscriber has not ended, so that operators see it. */
export const sqlIsSubscribed: RawBuilder<boolean> = sql`subscription.off_reason IS DISTINCT FROM 'unsubscribed'`;

/**
 * The next events after the position of a subscription that it wants, each once. One type after the
 * other: together, PostgreSQL would walk through all events for a rare type.
 */
export const sqlDesiredEventsAfter = (most: number): string => `
  SELECT DISTINCT one.position
  FROM unnest(subscription.events, subscription.since) AS wanted (name, since) CROSS JOIN LATERAL (
    (SELECT position FROM event
      WHERE wanted.name <> '*' AND source_number = subscription.source_number
        AND type = wanted.name AND position > greatest(subscription.position, wanted.since)
      ORDER BY source_number, type, position LIMIT ${most})
    UNION ALL
    (SELECT position FROM event
      WHERE wanted.name = '*' AND source_number = subscription.source_number
        AND type NOT LIKE 'relay.%' AND position > greatest(subscription.position, wanted.since)
      ORDER BY source_number, position LIMIT ${most})
  ) AS one
  ORDER BY one.position LIMIT ${most}`;

/**
 * Tables of subscriptions with something to do. `retrying`: those with deliveries to retry, and when
 * the first of each is due. It jumps through the index
 * from one to the next, so idle subscriptions cost nothing, and many deliveries as much as one.
 * `newest`: for each kind of active subscription (a source and what it wants), the newest event that
 * it wants. There are few kinds, whatever the number of subscriptions.
 */
export const sqlReadingTables = `
WITH RECURSIVE retrying AS (
  (SELECT subscription_number, next_at FROM delivery
    WHERE state = 'pending'
    ORDER BY subscription_number, next_at LIMIT 1)
  UNION ALL
  SELECT following.* FROM retrying CROSS JOIN LATERAL (
    SELECT subscription_number, next_at FROM delivery
    WHERE state = 'pending' AND subscription_number > retrying.subscription_number
    ORDER BY subscription_number, next_at LIMIT 1
  ) AS following
), kind AS (
  (SELECT source_number, events FROM subscription WHERE ${sqlIsActive}
    ORDER BY source_number, events LIMIT 1)
  UNION ALL
  SELECT following.* FROM kind CROSS JOIN LATERAL (
    SELECT source_number, events FROM subscription
    WHERE ${sqlIsActive} AND (source_number, events) > (kind.source_number, kind.events)
    ORDER BY source_number, events LIMIT 1
  ) AS following
), newest AS MATERIALIZED (
  SELECT kind.*, latest.position FROM kind CROSS JOIN LATERAL (
    SELECT one.* FROM unnest(kind.events) AS wanted (name) CROSS JOIN LATERAL (
      (SELECT position FROM event
        WHERE wanted.name <> '*' AND source_number = kind.source_number AND type = wanted.name
        ORDER BY source_number, type, position DESC LIMIT 1)
      UNION ALL
      (SELECT position FROM event
        WHERE wanted.name = '*' AND source_number = kind.source_number AND type NOT LIKE 'relay.%'
        ORDER BY source_number, position DESC LIMIT 1)
    ) AS one
    ORDER BY one.position DESC LIMIT 1
  ) AS latest
)`;
