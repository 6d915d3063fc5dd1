import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { urlOf } from '../../../test/support/server-url.ts';

export interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders;
  /** The bytes as received. */
  readonly body: Buffer;
}

/** Listens on this machine, and responds with 200. While it is down, it breaks every connection. */
export async function openReceiver({ isUp = true } = {}) {
  const { promise: first, resolve } = Promise.withResolvers<ReceivedDelivery>();
  let isReachable = isUp;
  const server = createServer(async (request, response) => {
    resolve({ headers: request.headers, body: await buffer(request) });
    response.end();
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
