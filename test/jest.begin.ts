import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One temporary folder for the run: jest.end.ts takes away what its processes leave there. */
export default function begin(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'screen-advertising-tests-'));
  process.env.TMPDIR = folder;
  process.env.TEMPORARY_FOLDER_OF_TESTS = folder;
}
