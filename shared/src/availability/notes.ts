import type { ScreenFailure } from './read-availabilities.ts';

interface LeftOut {
  readonly failures?: readonly ScreenFailure[];
  readonly withoutCoordinates: readonly unknown[];
}

/** What a search left out, in sentences for people. */
export function notesOf({ failures = [], withoutCoordinates: unplaced }: LeftOut): string[] {
  const [first] = failures;
  const unread = `Screens that could not be read: ${failures.length}. First error: ${first?.error.message}`;
  const unknown = `Screens left out because they have no coordinates: ${unplaced.length}.`;
  return [...(first ? [unread] : []), ...(unplaced.length > 0 ? [unknown] : [])];
}
