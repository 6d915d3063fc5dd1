import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below it no system that we know takes the ports of outgoing connections. */
const firstEphemeral = 32_768;
const firstUsed = 10_240;

/**
 * A port of 127.0.0.1 that nobody listens on. It stays free although other programs connect to
 * anywhere meanwhile, even to this very port: none of the system's own choice is ever it.
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
