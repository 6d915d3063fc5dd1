import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { lockFile } from './file-lock.ts';
import { replaceFile } from './replace-file.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';

interface Parts {
  /** The present state; what comes back is written before anything else runs. */
  readonly take: () => Snapshot;
  /** Told when the file cannot be written any more, and when it can again. */
  readonly warn: (message: string) => void;
}

/** Keeps the state in a file that is never half written and has one sandbox at a time. */
export class StateFile {
  readonly #path: string;
  readonly #parts: Parts;
  #unlock: (() => void) | undefined;
  #changes = 0;
  #saved = 0;
  #writing: Promise<void> | undefined;
  #failure: string | undefined;

  /** `path` may be a link: what it leads to is replaced and locked. */
  constructor(path: string, parts: Parts) {
    this.#path = existsSync(path) ? realpathSync(path) : path;
    this.#parts = parts;
  }

  /** The state that is there, or undefined. Throws when it cannot be kept in this file. */
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
   * Resolves once every change until now is on disk; all who wait share one write. Rejects when it
   * could not be written; the next call tries again.
   */
  async saved(): Promise<void> {
    const wanted = this.#changes;
    while (this.#saved < wanted) {
      this.#writing ??= this.#write();
      await this.#writing;
    }
  }

  /** Writes the present state for the last time, and lets others have the file. */
  async close(): Promise<void> {
    this.changed();
    const unlock = this.#unlock;
    // From now on changes are not kept: none may be written once others have the file.
    this.#unlock = undefined;
    try {
      await this.saved();
    } finally {
      unlock?.();
    }
  }

  async #write(): Promise<void> {
    try {
      // Whatever changes in the same moment is written along.
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
    const text = this.#keeping(() =>
      existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : undefined,
    );
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
