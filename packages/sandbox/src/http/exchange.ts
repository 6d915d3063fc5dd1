import type { HttpBindings } from '@hono/node-server';

/** One request on its way through the sandbox, and what is found out about it. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Empty when none came. */
  readonly body: string;
  /** Address of the other side; undefined for calls from code in the same process. */
  readonly remoteAddress: string | undefined;
  /** Present for requests that came over a socket. */
  readonly socket: HttpBindings | undefined;
  /** Filled in once the caller is known. */
  accessId?: string;
  /** Filled in once the operation is known. */
  operation?: string;
}

export interface ExchangeEnv {
  Bindings: { exchange: Exchange };
}
