import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import { readSnapshot, type Snapshot } from './stored-records.ts';

/** Keeps the state in a file that is never half written. */
export class StateFile {
  readonly #target: string;
  readonly #take: () => Snapshot;
  readonly #warn: (message: string) => void;
  /** The file as it was last read or written here; undefined for none. */
  #version: string | undefined;
  #isChanged = false;
  #warned = '';

  /** `path` may be a link: its target is replaced. `warn` is called when a save fails. */
  constructor(
    path: string,
    take: () => Snapshot,
    warn = (message: string): void => process.emitWarning(message),
  ) {
    this.#target = existsSync(path) ? realpathSync(path) : path;
    this.#take = take;
    this.#warn = warn;
  }

  /** The saved state; undefined for a new file. Throws if the file holds anything else. */
  read(): Snapshot | undefined {
    const target = this.#target;
    this.#version = versionOf(target);
    if (this.#version === undefined) return undefined;
    try {
      return readSnapshot(JSON.parse(readFileSync(target, 'utf8')));
    } catch (cause) {
      throw new Error(
        `The state file ${target} was not written by this sandbox: ${(cause as Error).message} Choose another file, or delete it to start with made-up data.`,
        { cause },
      );
    }
  }

  /** Saves soon, together with all changes of the same tick. */
  changed(): void {
    this.#isChanged = true;
    setImmediate(() => {
      if (!this.#isChanged) return;
      try {
        this.save();
      } catch (error) {
        const { message } = error as Error;
        if (message !== this.#warned) {
          this.#warn(`${message} Until it can, changes stay in memory and return status 503.`);
        }
        this.#warned = message;
      }
    });
  }

  /** Throws if the state cannot be saved. After a failure, the file keeps its old content. */
  save(): void {
    const target = this.#target;
    const draft = `${target}.tmp`;
    try {
      const found = versionOf(target);
      // Two sandboxes on one file would undo each other's changes.
      if (found !== undefined && found !== this.#version) {
        throw new Error(
          'another program changed it, such as a second sandbox. Give each sandbox its own file, and restart this one',
        );
      }
      // Creates the draft, so that a link with this name is not followed.
      rmSync(draft, { force: true });
      writeFileSync(draft, JSON.stringify(this.#take()), { flag: 'wx', mode: 0o600 });
      this.#version = versionOf(draft);
      renameSync(draft, target);
      this.#isChanged = false;
      this.#warned = '';
    } catch (cause) {
      const { message } = cause as Error;
      const detail = `The state file ${target} cannot be written: ${message}.`;
      throw new ProblemResponseError('not-saved', detail);
    }
  }
}

/** Differs after every replacement. A replaced file may get the number of an earlier one. */
function versionOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.mtimeMs}`;
}
