import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Once this resolves, the text is on disk. Until then the file keeps its old content, whatever
 * happens. One writer at a time: the draft always has the same name, so that it overwrites what a
 * killed process left behind.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.tmp`;
  await unlink(draft).catch(() => undefined);
  // Creates the file, so that a link with this name is not followed.
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** A new file name is on disk only after its folder is synced. Windows cannot open folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
