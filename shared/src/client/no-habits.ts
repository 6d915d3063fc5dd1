import type { Habits } from '../errors/unknown-option.ts';

/** `#habits` where each byte is loaded by users: in connectors and browsers. */
export const callHabits: Habits = [];
export const clientHabits: Habits = [];
