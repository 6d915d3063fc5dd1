import { ConfigurationError } from '../errors/configuration-error.ts';
import { isRecord } from '../json.ts';

/** A check of one option: what it must be, and whether a value is that. */
interface Rule {
  readonly must: string;
  readonly allows: (value: unknown) => boolean;
}

/** The options of one function. `true` means that another check reads the value. */
export type Rules<Options> = { readonly [Name in keyof Required<Options>]: Rule | true };

const rule = (must: string, allows: Rule['allows']): Rule => ({ must, allows });

export const isFunction = (value: unknown): boolean => typeof value === 'function';

export const aFunction = rule('be a function', isFunction);
export const aBoolean = rule('be true or false', (value) => typeof value === 'boolean');
export const aHeaderText = rule(
  'be printable ASCII',
  (value) => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value),
);
export const aSignal = rule('be an AbortSignal', (value) => isRecord(value) && 'aborted' in value);
export const headers = rule(
  'be texts, without authorization',
  (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([name, text]) => name.toLowerCase() !== 'authorization' && aHeaderText.allows(text),
    ),
);
export const aClock = rule(
  'have the functions now and sleep',
  (value) => isRecord(value) && isFunction(value.now) && isFunction(value.sleep),
);
export const aTransport = rule(
  'have the functions send, clock.now, and clock.sleep',
  (value) => isRecord(value) && aClock.allows(value.clock) && isFunction(value.send),
);
export const credentials = rule(
  'be the result of apiKey or clientCredentials',
  (value) => isRecord(value) && typeof value.kind === 'string',
);

/**
 * Refuses options that are unknown or cannot work. Throws ConfigurationError, which names the option
 * and the nearest known one, and shows no value: it may be a secret.
 */
export function checkOptions<Options>(given: unknown, rules: Rules<Options>): void {
  if (!isRecord(given)) throw refused('options', 'be an object');
  checkNames(given, Object.keys(rules));
  for (const [name, check] of Object.entries<Rule | true>(rules)) {
    const value = given[name];
    if (check === true || (value === undefined && check !== credentials) || check.allows(value))
      continue;
    throw refused(name, check.must);
  }
}

/** The error of an option with a wrong value. */
export function refused(name: string, must: string): ConfigurationError {
  return new ConfigurationError(name, `${name} must ${must}.`);
}

/** Refuses names that no option has. `path` precedes them, such as `retry.`. */
export function checkNames(given: object, known: readonly string[], path = ''): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const likeness = (name: string): number => commonStart(unknown.toLowerCase(), name.toLowerCase());
  const [nearest = ''] = [...known].sort((one, other) => likeness(other) - likeness(one));
  const hint = likeness(nearest) > 2 ? ` Did you mean ${path}${nearest}?` : '';
  const name = path + unknown;
  throw new ConfigurationError(name, `${name} is not an option.${hint}`);
}

/** How many letters two words begin with in common. */
function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
