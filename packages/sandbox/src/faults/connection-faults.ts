import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Exchange } from '../http/exchange.ts';

/** The other side sees the connection reset. In the same process there is none: it rejects. */
export function resetConnection({ socket }: Exchange): Response {
  if (!socket) throw new TypeError('A fault rule of the sandbox reset the connection.');
  const connection = socket.incoming.socket;
  if ('resetAndDestroy' in connection) connection.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Announces the whole body, sends half of it, and closes the connection. */
export async function truncateAnswer({ socket }: Exchange, response: Response): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  if (!socket) throw new TypeError('A fault rule of the sandbox cut the answer off.');
  const { outgoing } = socket;
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': body.length,
  });
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}
