import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { urlOf } from '../../support/server-url.ts';

export interface Proxy {
  readonly url: string;
  /** The next response does not arrive. */
  loseResponse(): void;
  close(): void;
}

interface Passed {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Another address of the server at this port. */
export async function openProxy(port: number): Promise<Proxy> {
  let isLosing = false;
  const server = createServer(async (incoming, outgoing) => {
    const passed = await pass(incoming, await buffer(incoming), port).catch(() => undefined);
    if (passed && isLosing) {
      isLosing = false;
      incoming.socket.destroy();
    } else if (passed) outgoing.writeHead(passed.status, passed.headers).end(passed.body);
    else outgoing.writeHead(502).end();
  });
  return {
    url: await urlOf(server),
    loseResponse() {
      isLosing = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass({ method, url, headers }: IncomingMessage, body: Buffer, port: number) {
  return new Promise<Passed>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: url, headers };
    const outgoing = request(options, async (response) => {
      const { statusCode: status = 502, headers } = response;
      buffer(response).then((body) => resolve({ status, headers, body }), reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
