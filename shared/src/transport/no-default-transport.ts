import { ConfigurationError } from '../errors/error-classes.ts';

/*
 * For connectors, in bundles with the condition `no-default-transport`: no `#default-transport`, since
 * they always pass their own, and no `#habits`, since their own code passes the options.
 */

export { callOptionSynonyms, clientOptionSynonyms } from '../errors/no-habits.ts';

/** No option is unknown. */
export function refuseUnknownOptions(): void {}

export function defaultTransport(): never {
  throw new ConfigurationError(
    'transport',
    'createClient has no default transport in this bundle. Pass `transport`: an object with `clock` and `send`, which sends one HTTP request.',
  );
}

export function httpTransport(): never {
  return defaultTransport();
}
