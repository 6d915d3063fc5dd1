import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { RelayError } from '../../base/relay-error.ts';

/** The user that PostgreSQL runs as; undefined when the process itself may run it. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

const run = promisify(execFile);

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged user. */
export async function accountForPostgres(isRoot = process.getuid?.() === 0): Promise<Account> {
  if (!isRoot) return undefined;
  const id = (flag: string, name: string) => run('id', [flag, name], { env: childEnvironment() });
  for (const name of ['postgres', 'nobody']) {
    try {
      const [user, group] = await Promise.all([id('-u', name), id('-g', name)]);
      return { uid: Number(user.stdout), gid: Number(group.stdout) };
    } catch {
      // The next candidate may exist.
    }
  }
  throw new RelayError(
    'postgres_failed',
    'PostgreSQL cannot run as root, and this machine has no unprivileged user, such as "postgres", to run it as. Start the relay as another user, or set DATABASE_URL.',
  );
}

/** The first folder on the way to a path that other users may not enter, if any. */
export async function closedFolderAbove(path: string): Promise<string | undefined> {
  const folder = dirname(path);
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return folder;
  return folder === dirname(folder) ? undefined : closedFolderAbove(folder);
}

/**
 * What the relay's child processes see. They need none of its settings, which hold secrets. The
 * machine's PG* variables are for another PostgreSQL: PGPORT alone would rename the socket of the
 * relay's own.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:RELAY_|DATABASE_URL$|PG)/i.test(name)),
  );
}
