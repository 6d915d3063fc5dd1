import { ConfigurationError } from './error-classes.ts';

/** An option to use, and other clients' names for it, separated by spaces. */
export type OptionSynonyms = readonly (readonly [use: string, names: string])[];

/** `#habits` of browsers, where users load each byte. */
export const callOptionSynonyms: OptionSynonyms = [];
export const clientOptionSynonyms: OptionSynonyms = [];

/** Refuses options that do not exist. */
export function refuseUnknownOptions(
  given: unknown,
  owner: string,
  names: readonly string[],
  habits?: OptionSynonyms,
): void {
  refuseUnknownOptionsWithAdvice(() => undefined, given, owner, names, habits);
}

type Meant = (
  unknown: string,
  names: readonly string[],
  habits: OptionSynonyms,
) => string | undefined;

/**
 * Refuses options that do not exist, and says what `meant` knows to do the same here. Throws
 * ConfigurationError, which shows no value: it may be a secret.
 */
export function refuseUnknownOptionsWithAdvice(
  meant: Meant,
  given: unknown,
  owner: string,
  names: readonly string[],
  habits: OptionSynonyms = [],
): void {
  // A signal lists no members: it would look like an empty object.
  if (typeof given !== 'object' || !given || Array.isArray(given) || 'aborted' in given) {
    const needs = `${owner} takes an object of options, such as { ${names.slice(0, 2).join(', ')} }`;
    throw new ConfigurationError('options', needs);
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const use = meant(unknown, names, habits);
  // Any other name may be a secret in the wrong place.
  const isWord = /^(?!svc_|rly_|whsec_)[a-z]\w{0,39}$/i.test(unknown);
  const name = isWord ? unknown : 'One of the names';
  const remedy = use ? `Use ${use}.` : `It takes ${names.join(', ')}.`;
  throw new ConfigurationError(name, `${name} is not an option of ${owner}`, remedy);
}
