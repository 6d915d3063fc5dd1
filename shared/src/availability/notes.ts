import type { ScreenFailure } from './read-availabilities.ts';

interface LeftOut {
  readonly failures?: readonly ScreenFailure[];
  readonly withoutCoordinates: readonly unknown[];
  readonly notBookable?: readonly unknown[];
}

/** What a search left out, in sentences for people. */
export function notesOf({
  failures = [],
  withoutCoordinates,
  notBookable = [],
}: LeftOut): string[] {
  const [first] = failures;
  return [
    first &&
      `Screens that could not be read: ${failures.length}. First error: ${first.error.message}`,
    withoutCoordinates.length > 0 &&
      `Screens left out because they have no coordinates: ${withoutCoordinates.length}.`,
    notBookable.length > 0 &&
      `Screens left out because they can no longer be booked: ${notBookable.length}.`,
  ].filter((note) => typeof note === 'string');
}
