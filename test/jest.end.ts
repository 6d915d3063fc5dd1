import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { eventually } from './support/eventually.ts';
import { isAlive } from './support/is-alive.ts';

/** Stops the PostgreSQL that tests shared, and deletes the folder that jest.begin.ts created. */
export default async function end(): Promise<void> {
  const { TEMPORARY_FOLDER_OF_TESTS: folder } = process.env;
  if (!folder) return;
  await stopPostgres(path.join(folder, 'relay/postgres/postmaster.pid'));
  rmSync(folder, { recursive: true, force: true });
}

/** At once: nothing of it is needed any more. */
async function stopPostgres(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  // Killed, it leaves its file behind.
  if (!isAlive(postmaster)) return;
  process.kill(postmaster, 'SIGQUIT');
  await eventually(() => !isAlive(postmaster), 'PostgreSQL has ended');
}
