import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Node has no file locks of its own. Loaded on use: only a state file needs native code. */
const nativeLocks = () =>
  createRequire(import.meta.url)('fs-native-extensions') as {
    tryLock(descriptor: number): boolean;
  };

/**
 * Locks by means of a file of this name until the function that comes back is called; undefined
 * when somebody else holds the lock. The system drops it with the process, however that ends, so a
 * lock is never stale.
 */
export function lockFile(path: string): (() => void) | undefined {
  const { tryLock } = nativeLocks();
  for (;;) {
    const descriptor = openSync(path, 'a', 0o600);
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
    // Its last holder removed it between the opening and the locking: this lock keeps nobody out.
    closeSync(descriptor);
  }
}

function isAt(path: string, descriptor: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino;
}
