import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { readSnapshot, type Snapshot } from './stored-records.ts';

/**
 * Keeps the state in a file that is never half written. `path` may be a link: its target is
 * replaced. `warn` is called when a save fails.
 */
export function stateFileAt(
  path: string,
  take: () => Snapshot,
  warn = (message: string): void => process.emitWarning(message),
) {
  const target = existsSync(path) ? realpathSync(path) : path;
  /** The file as it was last read or written here; undefined for none. */
  let version: string | undefined;
  let isChanged = false;
  let warned = '';

  /** Throws if the state cannot be saved. After a failure, the file keeps its old content. */
  const save = (): void => {
    const draft = `${target}.tmp`;
    try {
      const found = versionOf(target);
      // Two sandboxes on one file would undo each other's changes.
      if (found !== undefined && found !== version) {
        throw new Error(
          'another program changed it, such as a second sandbox. Give each sandbox its own file, and restart this one',
        );
      }
      // Creates the draft, so that a link with this name is not followed.
      rmSync(draft, { force: true });
      writeFileSync(draft, JSON.stringify(take()), { flag: 'wx', mode: 0o600 });
      version = versionOf(draft);
      renameSync(draft, target);
      isChanged = false;
      warned = '';
    } catch (cause) {
      const { message } = cause as Error;
      const detail = `The state file ${target} cannot be written: ${message}.`;
      throw new ProblemResponseError('not-saved', detail);
    }
  };

  return {
    /** The saved state; undefined for a new file. Throws if the file holds anything else. */
    read(): Snapshot | undefined {
      version = versionOf(target);
      if (version === undefined) return undefined;
      try {
        return readSnapshot(JSON.parse(readFileSync(target, 'utf8')));
      } catch (cause) {
        throw new Error(
          `The state file ${target} was not written by this sandbox: ${(cause as Error).message} Choose another file, or delete it to start with made-up data.`,
          { cause },
        );
      }
    },
    /** Saves soon, together with all changes of the same tick. */
    changed(): void {
      isChanged = true;
      setImmediate(() => {
        if (!isChanged) return;
        try {
          save();
        } catch (error) {
          const { message } = error as Error;
          if (message !== warned) {
            warn(`${message} Until it can, changes stay in memory and return status 503.`);
          }
          warned = message;
        }
      });
    },
    save,
  };
}

/** Differs after every replacement. A replaced file may get the number of an earlier one. */
function versionOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.mtimeMs}`;
}
