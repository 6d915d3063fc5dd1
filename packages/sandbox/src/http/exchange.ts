import type { HttpBindings } from '@hono/node-server';
import { Refusal } from './refusal.ts';

/** The version segment that every base URL ends in (section 9). */
export const basePath = '/api/v1';

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

/** No request of the contract comes near it; a snapshot that is handed back does. */
const largestBody = 16 * 1024 * 1024;

export async function readExchange(request: Request, socket?: HttpBindings): Promise<Exchange> {
  return {
    method: request.method,
    url: new URL(request.url),
    headers: request.headers,
    body: await readBody(request),
    remoteAddress: socket?.incoming.socket.remoteAddress,
    socket,
  };
}

async function readBody(request: Request): Promise<string> {
  // Looking at the body of a request that has none is slow over a socket.
  if (['GET', 'HEAD'].includes(request.method) || request.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > largestBody) {
      throw new Refusal(413, 'body-too-large', `The body is larger than ${largestBody} bytes.`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
