import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** No system we know uses the ports below this one for outgoing connections. */
const firstEphemeral = 32_768;
const firstUsed = 10_240;

/**
 * A free port of 127.0.0.1. It stays free while other programs open connections, even to this very
 * port, because the system never picks it for an outgoing connection.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstUsed, firstEphemeral);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
