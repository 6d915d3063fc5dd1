import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The key that secrets are encrypted with. */
export function keyFromFile(folder: string): Promise<string> {
  return keptIn(folder, 'secret.key', () => randomBytes(32).toString('base64'));
}

/** The token that operators sign in to the relay's page with. */
export function adminTokenFromFile(folder: string): Promise<string> {
  return keptIn(folder, 'admin.token', () => `adm_${randomBytes(32).toString('base64url')}`);
}

/** Created on the first start, readable only by its owner. */
async function keptIn(folder: string, name: string, make: () => string): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return text.trim();
  const unfinished = `${path}-${randomUUID()}`;
  await writeFile(unfinished, `${make()}\n`, { mode: 0o600, flush: true });
  // Linked instead of renamed: if two processes start at once, the first one wins.
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(unfinished);
  return (await readFile(path, 'utf8')).trim();
}
