import { ConfigurationError } from '../errors/error-classes.ts';

/**
 * `#default-transport` in bundles with the condition `no-default-transport`, for programs that
 * always pass their own transport.
 */
export function defaultTransport(): never {
  throw new ConfigurationError(
    'transport',
    'createClient has no default transport in this bundle. Pass `transport`: an object with `clock` and `send`, which sends one HTTP request.',
  );
}

export function httpTransport(): never {
  return defaultTransport();
}
