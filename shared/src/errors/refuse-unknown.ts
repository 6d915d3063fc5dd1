import { ConfigurationError } from './error-classes.ts';

/** What to use, and other clients' names for it, separated by spaces. */
export type Habits = readonly (readonly [use: string, names: string])[];

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
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const same = names.map((known) => [known, known] as const);
    const [use] = [...same, ...habits].find((habit) => isMeant(habit, name)) ?? [];
    // Any other name may be a secret in the wrong place.
    const shown = /^(?!svc_|rly_|whsec_)[a-z]\w{0,39}$/i.test(name) ? name : 'One of the names';
    const remedy = use ? `Use ${use}.` : `It takes ${names.join(', ')}.`;
    throw new ConfigurationError(shown, `${shown} is not an option of ${owner}`, remedy);
  }
}

function isMeant([, names]: Habits[number], name: string): boolean {
  return ` ${plain(names)} `.includes(` ${plain(name)} `);
}

/** Without case, and without what separates words: `base_url` and `baseURL` are the same. */
function plain(text: string): string {
  return text.replace(/[_-]/g, '').toLowerCase();
}
