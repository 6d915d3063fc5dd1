import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import { RelayError } from '../relay-error.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/*
 * A backup is lines of text in gzip. The first is a header. Then follow, for each table, a line
 * that names its columns, its rows as `COPY` writes them, and a line `\.`, which no row can be. The
 * last line seals the digest of all lines before it with the relay's key, so that no one without it can
 * write or change a backup.
 */

export const formatVersion = 2;

const header = z.object({
  screen_advertising_relay_backup: z.number(),
  created_at: z.string(),
  migrations: z.array(z.string()),
  /** A text that only the same secret key decrypts, in base64. */
  key_check: z.string(),
  /** The last value of each sequence. */
  sequences: z.record(z.string(), z.string()),
});
const table = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const end = z.object({
  rows: z.record(z.string(), z.number()),
  /** The SHA-256 of all lines before, sealed, in base64. */
  seal: z.string(),
});

export type BackupHeader = z.infer<typeof header>;
export type BackupEnd = z.infer<typeof end>;
export type BackupTable = z.infer<typeof table>;

/** What the secrets in a backup are sealed for. */
export const uses = { keyCheck: 'backup', digest: 'backup digest' } as const;

export const endOfRows = '\\.\n';
const longestLine = 1_000_000;

/** What a reader does with each part of a backup, in the order of the file. */
export interface BackupVisitor {
  header(header: BackupHeader): Promise<void>;
  /** Reads all rows. */
  table(table: BackupTable, rows: AsyncIterable<Buffer>): Promise<void>;
}

/**
 * Reads a whole backup, and only at its end knows whether it is one: what the visitor did until then
 * must be undone if it rejects. Rejects with a RelayError if it is damaged, cut off, or no backup.
 */
export async function readBackup(
  file: string,
  box: SecretBox,
  visitor: BackupVisitor,
): Promise<BackupEnd['rows']> {
  // pipeline destroys both streams, also when the reader below stops early.
  const unzipped = pipeline(createReadStream(file), createGunzip(), () => undefined);
  try {
    const reader = new BackupReader(file, unzipped);
    await visitor.header(reader.header(await reader.line()));
    for (;;) {
      const digest = reader.digest();
      const line = JSON.parse(await reader.line());
      const last = end.safeParse(line);
      if (!last.success) await visitor.table(table.parse(line), reader.rows());
      else if (isSealed(box, last.data, digest) && (await reader.isAtEnd())) return last.data.rows;
      else throw damaged(file);
    }
  } catch (error) {
    if (isOfFile(error)) throw damaged(file, error);
    throw error;
  } finally {
    unzipped.destroy();
  }
}

class BackupReader {
  readonly #file: string;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  #left: Buffer = Buffer.alloc(0);

  constructor(file: string, stream: Readable) {
    this.#file = file;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  header(line: string): BackupHeader {
    const parsed = header.safeParse(JSON.parse(line));
    if (!parsed.success) throw damaged(this.#file, parsed.error);
    const { screen_advertising_relay_backup: version } = parsed.data;
    if (version === formatVersion) return parsed.data;
    throw new RelayError(
      'backup',
      version > formatVersion
        ? `${this.#file} was written by a newer relay. Update this one, then restore.`
        : `${this.#file} was written by an older relay. Restore it with that release, then update.`,
    );
  }

  /** Of everything that was read so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  async line(): Promise<string> {
    for (;;) {
      const at = this.#left.indexOf('\n');
      if (at >= 0) return this.#take(at + 1).toString('utf8');
      if (this.#left.length > longestLine) throw damaged(this.#file);
      if (!(await this.#more())) throw damaged(this.#file);
    }
  }

  /** The rows of a table without the line that ends them. */
  async *rows(): AsyncGenerator<Buffer> {
    let isAtLineStart = true;
    for (;;) {
      if (isAtLineStart && this.#left.subarray(0, endOfRows.length).toString() === endOfRows) {
        this.#take(endOfRows.length);
        return;
      }
      const at = this.#left.indexOf(`\n${endOfRows}`);
      // Keeps back what may be the beginning of the end.
      const count = at >= 0 ? at + 1 : this.#left.length - endOfRows.length;
      if (count > 0) {
        const rows = this.#take(count);
        isAtLineStart = rows.at(-1) === 0x0a;
        yield rows;
      } else if (!(await this.#more())) throw damaged(this.#file);
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#left.length === 0 && !(await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#left = this.#left.length === 0 ? value : Buffer.concat([this.#left, value]);
    return true;
  }

  #take(count: number): Buffer {
    const taken = this.#left.subarray(0, count);
    this.#left = this.#left.subarray(count);
    this.#hash.update(taken);
    return taken;
  }
}

function isSealed(box: SecretBox, { seal }: BackupEnd, digest: string): boolean {
  try {
    return box.open(Buffer.from(seal, 'base64'), uses.digest) === digest;
  } catch {
    return false;
  }
}

/** Whether an error comes from the content of the file: 22 and 23 are PostgreSQL's, for its rows. */
function isOfFile(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return (
    error instanceof SyntaxError ||
    error instanceof z.ZodError ||
    /^Z_|^EISDIR$|^2[23]\w{3}$/.test(code)
  );
}

function damaged(file: string, cause?: unknown): RelayError {
  return new RelayError(
    'backup',
    `${file} is not a complete backup of a relay, or it is damaged. Nothing was changed. Choose another backup.`,
    { cause },
  );
}
