import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { run, type Server, startServer } from '../../support/launch.ts';
import { fromDebian, ordinaryAccount } from './machine.ts';

export interface Postgres {
  readonly program: Server;
  readonly port: number;
}

/** Starts a separate PostgreSQL on 127.0.0.1, with its data in the folder and no password. */
export async function startPostgres(folder: string): Promise<Postgres> {
  const postgres = await fromDebian('postgresql');
  const tool = (name: string) => path.join(path.dirname(postgres), name);
  const data = path.join(folder, 'postgres');
  mkdirSync(data);
  const user = ordinaryAccount(data);
  await run(tool('initdb'), ['-D', data, '-U', 'n8n', '-A', 'trust', '-E', 'UTF8'], { user });
  const port = await freePort();
  const at = ['-h', '127.0.0.1', '-p', String(port)];
  const program = await startServer({
    name: 'PostgreSQL',
    command: postgres,
    // Its data need not outlive the machine.
    args: ['-D', data, ...at, '-k', data, '-c', 'max_connections=200', '-c', 'fsync=off'],
    user,
    log: path.join(folder, 'postgres.log'),
    ready: async () => run(tool('pg_isready'), at).then(Boolean, () => false),
    readyWithinMs: 300_000,
    // The fast way to stop: it ends the connections that are open.
    stopSignal: 'SIGINT',
  });
  return { program, port };
}
