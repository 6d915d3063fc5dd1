import { httpTransport } from '#http-transport';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Transport } from '../transport/transport.ts';

/** The transport of a client that is given none. Throws ConfigurationError outside Node.js. */
export function defaultTransport(): Transport {
  const transport: Transport | undefined = httpTransport;
  if (transport) return transport;
  throw new ConfigurationError(
    'transport',
    'createClient has a default transport only in Node.js. Pass `transport`: an object with `clock` and `send`, which sends one HTTP request.',
  );
}
