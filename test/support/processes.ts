import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process of this machine, as Linux shows it. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its root folder: processes of one container share it. */
  readonly root: string;
  readonly user: number;
  /** Whether nothing that it starts gains rights. */
  readonly keepsRights: boolean;
  readonly command: string;
  readonly environment: string;
}

/** All processes of this machine that this user may look into. */
export function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [look(Number(name))];
      } catch {
        // It has ended, or belongs to another user.
        return [];
      }
    });
}

function look(pid: number): RunningProcess {
  const file = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  const status = file('status');
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    pid,
    parent: number('PPid'),
    root: readlinkSync(`/proc/${pid}/root`),
    user: number('Uid'),
    keepsRights: number('NoNewPrivs') === 1,
    command: file('cmdline').replaceAll('\0', ' ').trim(),
    environment: file('environ'),
  };
}

/** The places among these processes that show a secret. Only one process may know it: `knower`. */
export function placesOfSecrets(
  processes: readonly RunningProcess[],
  knower: number,
  secrets: readonly string[],
): string[] {
  const shows = (text: string) => secrets.some((secret) => text.includes(secret));
  return processes.flatMap(({ pid, command, environment }) => [
    ...(shows(command) ? [`the command line of process ${pid}`] : []),
    ...(pid !== knower && shows(environment) ? [`the environment of ${command}`] : []),
  ]);
}
