import { ConfigurationError } from '../errors/configuration-error.ts';

/** Timers cannot run longer: 24.8 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Checks an option that counts milliseconds. Throws ConfigurationError. */
export function milliseconds(field: string, value: number, minimum = 1): number {
  return within(field, value, minimum, longestTimerMs);
}

/** Checks an option that counts things. Throws ConfigurationError. */
export function count(field: string, value: number): number {
  if (Number.isInteger(value)) return within(field, value, 1, Number.MAX_SAFE_INTEGER);
  throw refused(field, 'a whole number greater than 0');
}

function within(field: string, value: number, minimum: number, maximum: number): number {
  if (value >= minimum && value <= maximum) return value;
  throw refused(field, `a number from ${minimum} to ${maximum}`);
}

function refused(field: string, what: string): ConfigurationError {
  return new ConfigurationError(field, `${field} must be ${what}.`);
}

/** Text as it was meant; nothing for what callers without types hand over, such as a variable that is not set. */
export function trimmed(text: unknown): string {
  return typeof text === 'string' ? text.trim() : '';
}
