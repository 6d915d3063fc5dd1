import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { urlOf } from '../../support/server-url.ts';

export interface Proxy {
  readonly url: string;
  close(): void;
}

interface Passed {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** As nginx.conf of the guide has it: in turn, and to the next one where the first takes nothing. */
export async function openProxy(ports: readonly number[]): Promise<Proxy> {
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    turn += 1;
    for (let tried = 0; tried < ports.length; tried += 1) {
      const port = ports[(turn + tried) % ports.length] ?? 0;
      const passed = await pass(incoming, body, port).catch(() => undefined);
      if (passed && passed.status !== 503) {
        outgoing.writeHead(passed.status, passed.headers).end(passed.body);
        return;
      }
    }
    outgoing.writeHead(502).end();
  });
  return {
    url: await urlOf(server),
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
