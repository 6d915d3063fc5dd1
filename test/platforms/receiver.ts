import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders;
  /** The bytes as received. */
  readonly body: Buffer;
}

export interface Receiver<Result> {
  readonly url: string;
  /** The result of the work on the first delivery. */
  readonly result: Promise<Result>;
  close(): void;
}

/** Listens on the loopback, responds with 200 at once and handles the first delivery afterwards. */
export async function receive<Result>(
  work: (delivery: ReceivedDelivery) => Promise<Result>,
): Promise<Receiver<Result>> {
  const first = Promise.withResolvers<Result>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.writeHead(200).end();
    work({ headers: request.headers, body: Buffer.concat(chunks) }).then(
      first.resolve,
      first.reject,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    result: first.promise,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
