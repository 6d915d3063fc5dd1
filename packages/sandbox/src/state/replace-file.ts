import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * When this resolves, the text is on disk. Until then the file holds what it held before, whatever
 * happens. One writer at a time: the draft has one name, so that what a killed process left behind
 * is overwritten.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** The new name of the file is on disk only with its folder. Windows opens no folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
