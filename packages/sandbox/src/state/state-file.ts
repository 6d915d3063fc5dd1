import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { lockFile } from './file-lock.ts';
import { replaceFile } from './replace-file.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';

interface Parts {
  /** Returns the current state, which is serialized before other code runs. */
  readonly take: () => Snapshot;
  /** Called when the file can no longer be written, and when it can again. */
  readonly warn: (message: string) => void;
}

/** Keeps the state in a file that is never half written and belongs to one sandbox at a time. */
export class StateFile {
  readonly #path: string;
  readonly #parts: Parts;
  #unlock: (() => void) | undefined;
  #changes = 0;
  #saved = 0;
  #writing: Promise<void> | undefined;
  #failure: string | undefined;

  /** `path` may be a link: its target is replaced and locked. */
  constructor(path: string, parts: Parts) {
    this.#path = existsSync(path) ? realpathSync(path) : path;
    this.#parts = parts;
  }

  /** The saved state; undefined for a new file. Throws if the state cannot be kept in this file. */
  open(): Snapshot | undefined {
    this.#unlock = this.#lock();
    try {
      return this.#read();
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  changed(): void {
    if (!this.#unlock) return;
    this.#changes += 1;
    void this.saved().catch(() => undefined);
  }

  /**
   * Resolves once all changes so far are on disk; callers that wait share one write. Rejects if the
   * write failed; the next call retries.
   */
  async saved(): Promise<void> {
    const wanted = this.#changes;
    while (this.#saved < wanted) {
      this.#writing ??= this.#write();
      await this.#writing;
    }
  }

  /** Writes the state a last time and releases the file. */
  async close(): Promise<void> {
    this.changed();
    const unlock = this.#unlock;
    // Ignore changes from now on: after the release, the file may belong to another sandbox.
    this.#unlock = undefined;
    try {
      await this.saved();
    } finally {
      unlock?.();
    }
  }

  async #write(): Promise<void> {
    try {
      // Includes all changes of the same tick.
      await setImmediate();
      const changes = this.#changes;
      await replaceFile(this.#path, JSON.stringify(this.#parts.take()));
      this.#saved = changes;
      if (this.#failure) this.#parts.warn(`The state file ${this.#path} was saved again.`);
      this.#failure = undefined;
    } catch (error) {
      throw this.#failed(error as Error);
    } finally {
      this.#writing = undefined;
    }
  }

  #failed(cause: Error): Error {
    const message = `The state file ${this.#path} cannot be written: ${cause.message}.`;
    if (this.#failure !== message) {
      this.#parts.warn(`${message} Until it can, changes stay in memory and return status 503.`);
    }
    this.#failure = message;
    return new Error(message, { cause });
  }

  #lock(): () => void {
    const unlock = this.#keeping(() => lockFile(`${this.#path}.lock`));
    if (unlock) return unlock;
    throw new Error(
      `The state file ${this.#path} is in use by another sandbox. Stop that one, or choose another file.`,
    );
  }

  #read(): Snapshot | undefined {
    const text = this.#keeping(() => {
      const stats = statSync(this.#path, { throwIfNoEntry: false });
      if (stats && !stats.isFile()) throw new Error('it is not a regular file');
      return stats && readFileSync(this.#path, 'utf8');
    });
    if (text === undefined) return undefined;
    try {
      return readSnapshot(JSON.parse(text));
    } catch (cause) {
      throw new Error(
        `The state file ${this.#path} was not written by this sandbox: ${(cause as Error).message} Choose another file, or delete it to start with made-up data.`,
        { cause },
      );
    }
  }

  #keeping<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(`The state cannot be saved in ${this.#path}: ${message}.`, { cause });
    }
  }
}
