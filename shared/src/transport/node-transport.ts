import { httpTransport } from '#default-transport';
import { refuseUnknownOptions } from '#habits';
import type { NodeTransportOptions } from './node/http-transport.ts';
import type { Transport } from './transport.ts';

/**
 * The default transport in Node.js, with your own agent. It sends at most 100 requests at a
 * time, gives up on responses over 8 MiB, and follows no redirect.
 */
export function nodeTransport(options: NodeTransportOptions = {}): Transport {
  refuseUnknownOptions(options, 'nodeTransport', ['agent']);
  return httpTransport(options);
}
