import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { urlOf } from './server-url.ts';

export interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders;
  /** The bytes as received. */
  readonly body: Buffer;
}

interface ReceiverOptions {
  /** While it is down, it breaks every connection and keeps its port. */
  readonly isUp?: boolean;
  /** Of its responses. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with each delivery before the response. */
  readonly onDelivery?: (delivery: ReceivedDelivery) => void;
}

/** Listens on this machine, and responds with 200. */
export async function openReceiver({
  isUp = true,
  headers = {},
  onDelivery,
}: ReceiverOptions = {}) {
  const { promise: first, resolve } = Promise.withResolvers<ReceivedDelivery>();
  let isReachable = isUp;
  const server = createServer(async (request, response) => {
    const delivery = { headers: request.headers, body: await buffer(request) };
    onDelivery?.(delivery);
    resolve(delivery);
    response.writeHead(200, headers).end();
  });
  server.on('connection', (socket) => isReachable || socket.resetAndDestroy());
  return {
    url: `${await urlOf(server)}/`,
    first,
    comeUp() {
      isReachable = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
