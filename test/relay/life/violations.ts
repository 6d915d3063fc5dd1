/** What a run asked for, and what the outside saw. Times are milliseconds of the machine's clock. */
export interface History {
  readonly puts: Put[];
  readonly events: SentEvent[];
  readonly arrivals: Arrival[];
  readonly outages: Outage[];
}

/** A program's key, by number, and a target: one subscription for its whole life. */
export interface Place {
  readonly token: number;
  readonly target: number;
}

interface Asked {
  readonly sentAt: number;
  /** Infinity without a response: it may have been carried out, or not. */
  answeredAt: number;
}

interface Put extends Asked, Place {
  readonly names: readonly string[];
  readonly replaces: Place | undefined;
  /** Of the response. */
  id: string;
}

interface SentEvent extends Asked {
  readonly type: string;
}

/** A request that arrived at a target. */
export interface Arrival extends Place {
  readonly at: number;
  readonly webhookId: string;
  readonly event: number;
  status: number;
}

/** While a process was dead, or did nothing. */
interface Outage {
  readonly from: number;
  until: number;
}

const isAt =
  ({ token, target }: Place) =>
  (one: Place) =>
    one.token === token && one.target === target;
const wants = ({ names }: Put, type: string) => names.includes(type) || names.includes('*');

/**
 * At the end each subscription caught up. So each event was accepted that arrived after the response to
 * a request that wanted it, unless a later one leaves its type out. Of requests that overlap, either may
 * be the later one. What reached the same target with another key counts if a request replaced that one.
 */
export function lost({ puts, events, arrivals }: History, dead: ReadonlySet<string>): string[] {
  const places = new Map(
    puts.map(({ token, target }) => [`${token} ${target}`, { token, target }]),
  );
  return [...places].flatMap(([name, place]) => {
    const own = puts.filter(isAt(place));
    const isBack = own.some(({ replaces }) => replaces?.target === place.target);
    const had = new Set(
      arrivals
        .filter(({ status, target }) => status === 200 && target === place.target)
        .flatMap((one) => (isBack || one.token === place.token ? one.event : [])),
    );
    return events.flatMap(({ type, sentAt }, number) => {
      const isWanted = own.some(
        (put) =>
          put.answeredAt < sentAt &&
          own.every((other) => other.answeredAt < put.sentAt || wants(other, type)),
      );
      return isWanted && !had.has(number) && !dead.has(`${name} ${number}`)
        ? [`event ${number} (${type}) was lost to ${name}`]
        : [];
    });
  });
}

/** Events from before the first request that wants them, or that takes over from one that does. */
export function unwanted({ puts, events, arrivals }: History): string[] {
  const firstAsk = (place: Place, type: string, known: readonly Place[] = []): number => {
    if (known.some(isAt(place))) return Number.POSITIVE_INFINITY;
    const asks = puts.filter((put) => isAt(place)(put) && wants(put, type));
    return Math.min(
      ...asks.map(({ sentAt }) => sentAt),
      ...asks.flatMap(({ replaces }) =>
        replaces ? firstAsk(replaces, type, [...known, place]) : [],
      ),
    );
  };
  return arrivals.flatMap(({ event, token, target }) => {
    const { type = '', answeredAt = 0 } = events[event] ?? {};
    return answeredAt < firstAsk({ token, target }, type)
      ? [`event ${event} (${type}) came to ${token} ${target}, which did not want it yet`]
      : [];
  });
}

/** A process that dies may have been about to write what it had delivered up to a second ago. */
const reachMs = 1_000;

/** The same `webhook-id` is accepted once, unless a process died or was paused in between. */
export function twice({ arrivals, outages }: History): string[] {
  const accepted = arrivals
    .filter(({ status }) => status === 200)
    .sort((one, other) => one.at - other.at);
  const byId = Map.groupBy(accepted, (one) => `${one.token} ${one.target} ${one.webhookId}`);
  return [...byId.values()].flatMap((all) =>
    all.slice(1).flatMap(({ at, event, token, target }, nth) => {
      const before = (all[nth]?.at ?? 0) - reachMs;
      return outages.some(({ from, until }) => from <= at && until >= before)
        ? []
        : [`event ${event} was accepted twice by ${token} ${target}`];
    }),
  );
}
