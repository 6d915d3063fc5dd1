import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { fromDebian } from './debian.ts';
import { run, type Server, startServer } from './program.ts';

export interface Redis {
  readonly program: Server;
  readonly port: number;
}

/** Starts a separate Redis on 127.0.0.1 that keeps nothing on disk. */
export async function startRedis(folder: string): Promise<Redis> {
  const command = await fromDebian('redis-server');
  const port = await freePort();
  const at = ['-h', '127.0.0.1', '-p', String(port)];
  const program = await startServer({
    name: 'Redis',
    command,
    args: ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder],
    log: path.join(folder, 'redis.log'),
    ready: async () =>
      run('/usr/bin/redis-cli', [...at, 'ping']).then(
        (answer) => /PONG/.test(answer),
        () => false,
      ),
    readyWithinMs: 300_000,
  });
  return { program, port };
}
