import { ConfigurationError } from '../errors/error-classes.ts';
import { fetchTransport } from './fetch-transport.ts';

/** `#default-transport` in browsers and workers. */
export { fetchTransport as defaultTransport };

export function httpTransport(): never {
  throw new ConfigurationError(
    'transport',
    'nodeTransport needs node:http, which this runtime does not have. Use fetchTransport of @screen-advertising/core/fetch.',
  );
}
