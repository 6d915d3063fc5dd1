import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** PostgreSQL's main process. */
function postmasterOf(folder: string): number {
  const file = path.join(folder, 'postgres', 'postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

/** Kills PostgreSQL with all its processes at once, like a power cut. */
export function killPostgres(folder: string): void {
  const postmaster = postmasterOf(folder);
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
  const children = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === postmaster)
    .map(([pid]) => pid);
  for (const pid of [postmaster, ...children]) {
    try {
      if (pid) process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}
