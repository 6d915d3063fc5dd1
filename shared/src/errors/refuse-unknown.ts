import { ConfigurationError } from './error-classes.ts';
import { type Habits, unknownOption } from './unknown-option.ts';

/**
 * Refuses options that do not exist, and says what does the same here. Throws ConfigurationError,
 * which shows no value: it may be a secret.
 */
export function refuseUnknown(
  given: unknown,
  owner: string,
  names: readonly string[],
  habits: Habits = [],
): void {
  // A signal lists no members: it would look like an empty object.
  if (typeof given !== 'object' || !given || Array.isArray(given) || 'aborted' in given) {
    const needs = `${owner} takes an object of options, such as { ${names.slice(0, 2).join(', ')} }`;
    throw new ConfigurationError('options', needs);
  }
  const unknown = unknownOption(given, owner, names, habits);
  if (unknown) throw new ConfigurationError(unknown.name, unknown.summary, unknown.remedy);
}
