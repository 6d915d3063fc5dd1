import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';

/** A folder that exists during the tests of a file. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'files-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return () => folder;
}
