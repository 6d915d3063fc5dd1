import { type Findings, noticeMs } from './findings.ts';

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
