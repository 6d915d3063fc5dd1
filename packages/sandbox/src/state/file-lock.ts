import { closeSync, constants, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Node has no built-in file locks. Loaded on use: only a state file needs native code. */
const nativeLocks = () =>
  createRequire(import.meta.url)('fs-native-extensions') as {
    tryLock(descriptor: number): boolean;
  };

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
/** Fails for a link or a pipe: opening a pipe waits for its reader. Windows has neither flag. */
const flags = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;

/**
 * Locks through a file with this name and returns a function that unlocks it; undefined if another
 * process holds the lock. The system releases it when the process ends, however that happens, so a
 * lock is never stale.
 */
export function lockFile(path: string): (() => void) | undefined {
  const { tryLock } = nativeLocks();
  for (;;) {
    const descriptor = openSync(path, flags, 0o600);
    if (!tryLock(descriptor)) {
      closeSync(descriptor);
      return undefined;
    }
    if (isAt(path, descriptor)) {
      return () => {
        rmSync(path, { force: true });
        closeSync(descriptor);
      };
    }
    // The last holder removed the file between open and lock, so this lock keeps no other process
    // out.
    closeSync(descriptor);
  }
}

function isAt(path: string, descriptor: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino;
}
