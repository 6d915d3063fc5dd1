import type { SubscriptionRow } from '../audit.ts';
import { type Findings, nameOf, noticeMs, publicId, versionsOf } from '../findings.ts';
import { type Place, type Put, type SentEvent, wants } from '../history.ts';

/**
 * At the end every row caught up. So an event is delivered, or dead with a reason, if it arrived after
 * the response to a PUT that wanted it, and no PUT has left its type out since. One that became old while
 * its row was off, or that the row had skipped by then, may be pruned. An event that reached the same target with
 * another key, whose row it replaced, counts as had.
 */
export function lostFound(findings: Findings): readonly string[] {
  return findings.places.flatMap((place) =>
    findings.isRevoked(place)
      ? []
      : lostOf(findings, place).map((text) => `${nameOf(place)}: ${text}`),
  );
}

function lostOf(findings: Findings, place: Place): readonly string[] {
  const { history } = findings;
  const changes = findings.changesOf(place);
  const row = changes.at(-1)?.after;
  if (!row) return [];
  const puts = history
    .putsOf(place)
    .filter(({ id }) => id === publicId(row.id))
    .sort((one, other) => one.generation - other.generation);
  const deliveries = new Map(
    findings.audit.deliveries.flatMap(({ after }) =>
      after?.subscription_number === row.number ? [[after.position, after]] : [],
    ),
  );
  const isWantedSince = ({ generation }: Put, { type }: SentEvent) =>
    changes.every(
      ({ after }) =>
        after?.number !== row.number || after.generation < generation || wants(after.events, type),
    );
  const versions = versionsOf(changes);
  const stored = new Map(findings.events.map((one) => [one.number, one]));
  const mayBePruned = ({ number }: SentEvent) => {
    const { position = 0, prunedAt = Number.POSITIVE_INFINITY } = stored.get(number) ?? {};
    return versions.some(
      ({ row: { state, skipped_from: from, position: reached }, ...one }) =>
        one.from <= prunedAt + 1 &&
        prunedAt - 1 <= one.until &&
        (state === 'off' || (from !== null && from < position && position <= reached)),
    );
  };
  const erased = new Set(history.erases.map(({ event }) => event));
  return history.events.flatMap((event) => {
    const isWanted = puts.some((put) => put.answeredAt < event.sentAt && isWantedSince(put, event));
    const position = findings.positionOf(event.number);
    if (!isWanted || erased.has(event.number) || mayBePruned(event)) return [];
    if (cameToOther(findings, row, position)) return [];
    const delivery = deliveries.get(position);
    const isSettled =
      delivery && delivery.state !== 'pending' && (delivery.state !== 'dead' || delivery.reason);
    return isSettled ? [] : [`event ${event.number} (${event.type}) was lost: ${delivery?.state}`];
  });
}

function cameToOther(
  { audit, changes }: Findings,
  { number, target_url }: SubscriptionRow,
  position: number,
): boolean {
  const replaced = audit.jobs.flatMap(({ after }) =>
    after?.kind === 'of' && after.subscription_number === number && position <= after.until
      ? after.of_number
      : [],
  );
  return audit.deliveries.some(
    ({ after }) =>
      after?.position === position &&
      ['delivered', 'ignored'].includes(after.state) &&
      replaced.includes(after.subscription_number) &&
      changes.some(
        ({ after: row }) =>
          row?.number === after.subscription_number && row.target_url === target_url,
      ),
  );
}

/** After the response to an erasure, nothing of the event is left, and no attempt of it starts. */
export function erasedFound(findings: Findings): readonly string[] {
  const { history, events, attempts } = findings;
  return history.erases.flatMap(({ event, sentAt, answeredAt }) => {
    const known = history.events.find(({ number }) => number === event);
    const stored = events.find(({ number }) => number === event);
    // One that arrived meanwhile may have been too late for it.
    if (!stored || !known || known.answeredAt >= sentAt) return [];
    const responses = attempts.filter(
      ({ position, hasResponse }) => position === stored.position && hasResponse,
    );
    const late = history.arrivals.filter(
      ({ at, body }) => at > answeredAt + noticeMs && JSON.parse(body).data.number === event,
    );
    return [
      ...(stored.isErased ? [] : [`event ${event} was erased, and is there`]),
      ...(responses.length > 0 ? [`responses to event ${event} were erased, and are there`] : []),
      ...(late.length > 0 ? [`event ${event} was erased, and attempted later`] : []),
    ];
  });
}
