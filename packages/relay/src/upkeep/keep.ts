import { RelayError } from '../relay-error.ts';

/** Days that events stay unless told: retries take about three, and somebody must notice in time. */
export const defaultKeepDays = 30;

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

/** `keepDays` in milliseconds. */
export function keptMs(days: number): number {
  if (days >= 1) return days * dayMs;
  throw new RelayError('configuration', `keepDays must be 1 or more, not ${days}.`);
}

/** A younger event must stay: the service may still retry it, and its key keeps duplicates away. */
export function atLeastAnHour(ms: number): number {
  if (ms >= hourMs) return ms;
  throw new RelayError(
    'configuration',
    'Events must stay for at least an hour, because the service may still retry them. Prune with --older-than 1h or more.',
  );
}
