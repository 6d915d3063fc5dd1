import type { Habits } from './habits.ts';

/** `#habits` where each byte is loaded by users: in connectors and browsers. */
export const callHabits: Habits = [];
export const clientHabits: Habits = [];

export function meant(): undefined {}
