import { outsideText } from './redact.ts';

const maxLength = 60;

/**
 * Adds the value to a message about what it must be: `must be a number, not "12 EUR"`. A value from
 * an expression or an earlier step is visible nowhere else.
 */
export function quoting(message: string, given: unknown): string {
  if (!/^must (be|have) /.test(message)) return message;
  if (typeof given === 'string') return `${message}, not "${outsideText(given, { maxLength })}"`;
  const isShown = typeof given === 'number' || typeof given === 'boolean';
  return isShown ? `${message}, not ${given}` : message;
}
