import { RelayError } from '../relay-error.ts';

/**
 * Default for days to keep events: retries take about three, and the owner needs time to notice.
 */
export const defaultRetentionDays = 30;

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

/** `retentionDays` in milliseconds. */
export function retentionOf(days: number): number {
  if (days >= 1) return days * dayMs;
  throw new RelayError('configuration', `retentionDays must be 1 or more, not ${days}.`);
}

/** Younger events must stay: the service may still retry them, and their keys detect duplicates. */
export function atLeastAnHour(ms: number): number {
  if (ms >= hourMs) return ms;
  throw new RelayError(
    'configuration',
    'Events must stay for at least an hour, because the service may still retry them. Prune with --older-than 1h or more.',
  );
}
