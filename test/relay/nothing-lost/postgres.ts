import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The process that all others of a PostgreSQL belong to. */
export function postmasterOf(folder: string): number {
  const file = path.join(folder, 'postgres', 'postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

/** Kills a PostgreSQL with all its processes at once, as a power cut does. */
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
      // It ended by itself.
    }
  }
}
