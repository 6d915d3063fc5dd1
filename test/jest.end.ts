import { rmSync } from 'node:fs';

/** Deletes the folder that jest.begin.ts created. */
export default function end(): void {
  const { TEMPORARY_FOLDER_OF_TESTS: folder } = process.env;
  if (folder) rmSync(folder, { recursive: true, force: true });
}
