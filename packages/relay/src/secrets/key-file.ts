import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The key that secrets are encrypted with: made on the first start, readable by its owner only. */
export async function keyFromFile(folder: string): Promise<string> {
  const path = join(folder, 'secret.key');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${path}-${randomUUID()}`;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return text.trim();
  await writeFile(unfinished, `${randomBytes(32).toString('base64')}\n`, {
    mode: 0o600,
    flush: true,
  });
  // Linked, not renamed: of two processes that start at once the first wins.
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(unfinished);
  return (await readFile(path, 'utf8')).trim();
}
