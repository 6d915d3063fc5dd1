import { once } from 'node:events';
import type { Server } from 'node:net';

/** Listens on a free port of 127.0.0.1, or on a given one. */
export async function urlOf(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
