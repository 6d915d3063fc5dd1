import type { Transport } from './transport.ts';

/** `#http-transport` outside Node.js, and in bundles with the condition `no-http`: none. */
export const httpTransport: Transport | undefined = undefined;
