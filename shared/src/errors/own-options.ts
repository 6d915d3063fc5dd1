export { callHabits, clientHabits } from './no-habits.ts';

/** `#habits` of connectors: their own code passes the options, so none is unknown. */
export function refuseUnknown(): void {}
