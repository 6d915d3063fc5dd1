import { chownSync } from 'node:fs';

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account `nobody` of Debian. */
const nobody: Account = { uid: 65_534, gid: 65_534 };

/** PostgreSQL refuses to run as root, so under root an unprivileged account gets the folder. */
export function ordinaryAccount(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  chownSync(folder, nobody.uid, nobody.gid);
  return nobody;
}
