import { higherPosition, lowerPosition } from './log-position.ts';

/** Stands for every event of the service, including those that it adds later. */
export const everyEvent = '*';

/** What a subscription wants: names of events, and the position after which it wants each. */
export interface Wants {
  readonly events: readonly string[];
  readonly since: readonly string[];
}

type Since = ReadonlyMap<string, string>;

/**
 * What a subscription wants once it asks for other names. One that it wanted before, by its name or
 * by "*", keeps its position; any other starts at `end`. Beside a new "*", a name keeps its earlier
 * position until the subscription has `reached` that of "*".
 */
export function wantsNext(
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

/** What both want: the names of either that the other has, too, from where the first one is. */
export function wantsOfBoth(first: Wants, position: string, second: readonly string[]) {
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
export function namesLeft(before: readonly string[], next: readonly string[]): readonly string[] {
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
