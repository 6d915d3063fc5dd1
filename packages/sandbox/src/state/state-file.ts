import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSnapshot, type Snapshot } from './snapshot.ts';

/** Changes that come together are written once. */
const gatherMs = 50;

/** Keeps the state in a file that is never half written. */
export class StateFile {
  readonly #path: string;
  readonly #take: () => Snapshot;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(path: string, take: () => Snapshot) {
    this.#path = path;
    this.#take = take;
  }

  /** Undefined when the file is not there yet. Throws when it could not be kept. */
  read(): Snapshot | undefined {
    const text = readIfThere(this.#path);
    if (text === undefined) return undefined;
    const snapshot = parse(text);
    if (isSnapshot(snapshot)) return snapshot;
    throw new Error(
      `The state file ${this.#path} is not one that this sandbox wrote. Choose another file, or delete it to start anew.`,
    );
  }

  changed(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => void this.#flush().catch(() => undefined), gatherMs);
  }

  /** Writes the present state for the last time. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#flush();
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const draft = `${this.#path}.${randomUUID()}.tmp`;
    await writeFile(draft, JSON.stringify(this.#take()), { mode: 0o600 });
    await rename(draft, this.#path);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    accessSync(dirname(path), constants.W_OK);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`The state cannot be kept in ${path}: ${message}.`, { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
