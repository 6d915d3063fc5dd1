import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceivedDelivery } from '../platforms/receiver.ts';

export interface LateReceiver {
  readonly url: string;
  readonly delivery: Promise<ReceivedDelivery>;
  comeUp(): void;
  close(): void;
}

/** Breaks every connection until it starts. It keeps its port meanwhile. */
export async function startLateReceiver(): Promise<LateReceiver> {
  const first = Promise.withResolvers<ReceivedDelivery>();
  let isUp = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.end();
    first.resolve({ headers: request.headers, body: Buffer.concat(chunks) });
  });
  server.on('connection', (socket) => {
    if (!isUp) socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    delivery: first.promise,
    comeUp() {
      isUp = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
