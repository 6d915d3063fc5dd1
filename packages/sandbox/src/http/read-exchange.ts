import type { HttpBindings } from '@hono/node-server';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';

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
