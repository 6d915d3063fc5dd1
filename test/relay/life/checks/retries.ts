import type { DeliveryRow } from '../audit.ts';
import type { Findings } from './findings.ts';

/** The clock of a process follows the database's, in steps. */
const stepMs = 50;

/** A retry by hand changes neither the schedule's step nor its next time. */
export function retriesFound({ audit, attempts }: Findings): readonly string[] {
  const times = new Map(
    attempts.map(({ subscription, position, number, at }) => [
      `${subscription} ${position} ${number}`,
      at,
    ]),
  );
  return audit.deliveries.flatMap(({ before, after }) => {
    if (before?.state !== 'pending' || !after || after.replays !== before.replays) return [];
    const name = `position ${after.position} of row ${after.subscription_number}`;
    const isStep = after.attempts_since_replay > before.attempts_since_replay;
    if (isStep && hasFailed(after)) {
      const at = times.get(`${after.subscription_number} ${after.position} ${after.attempts}`) ?? 0;
      return at + stepMs >= timeOf(before)
        ? []
        : [`${name}: an attempt that was not due took a step of the schedule`];
    }
    const isMoved = !isStep && after.state === 'pending' && timeOf(after) !== timeOf(before);
    return isMoved ? [`${name}: its next attempt was moved`] : [];
  });
}

function hasFailed({ state, reason }: DeliveryRow): boolean {
  return state === 'pending' || reason === 'retries_exhausted';
}

function timeOf({ next_at }: DeliveryRow): number {
  return Date.parse(next_at ?? '');
}
