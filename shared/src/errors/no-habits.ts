import { type Habits, refuse } from './refuse.ts';

/** `#habits` of browsers, where users load each byte. */
export const callHabits: Habits = [];
export const clientHabits: Habits = [];

/** Refuses options that do not exist. */
export function refuseUnknown(
  given: unknown,
  owner: string,
  names: readonly string[],
  habits?: Habits,
): void {
  refuse(() => undefined, given, owner, names, habits);
}
