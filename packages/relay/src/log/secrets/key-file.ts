import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RelayError } from '../../relay-error.ts';

interface Kept {
  readonly text: string;
  /** Undefined unless this start created it. */
  readonly newFile?: string;
}

/** The key that secrets are encrypted with. */
export function keyFromFile(folder: string): Promise<Kept> {
  return keptIn(folder, 'secret.key', () => randomBytes(32).toString('base64'));
}

/** The token that operators sign in to the relay's page with. */
export async function adminTokenFromFile(folder: string): Promise<string> {
  const make = () => `adm_${randomBytes(32).toString('base64url')}`;
  return (await keptIn(folder, 'admin.token', make)).text;
}

/**
 * A start without the key of the database's secrets leaves no other key behind, which would look like
 * the lost one. Rejects with a RelayError that says where that belongs.
 */
export async function withoutNewKey(newFile: string, cause: unknown): Promise<never> {
  await unlink(newFile);
  throw new RelayError(
    'secret_key',
    `The secrets in the database were encrypted with a key that is missing here: ${newFile} does not exist. Copy it from your backup, or from where the relay ran before, or set RELAY_SECRET_KEY. If it is lost, run: secrets reset`,
    { cause },
  );
}

/** Created on the first start, readable only by its owner. */
async function keptIn(folder: string, name: string, make: () => string): Promise<Kept> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return { text: text.trim() };
  const unfinished = `${path}-${randomUUID()}`;
  await writeFile(unfinished, `${make()}\n`, { mode: 0o600, flush: true });
  // Linked instead of renamed: if two processes start at once, the first one wins.
  const isFirst = await link(unfinished, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
  await unlink(unfinished);
  const kept = (await readFile(path, 'utf8')).trim();
  return { text: kept, ...(isFirst && { newFile: path }) };
}
