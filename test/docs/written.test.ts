import { describe, expect, it } from '@jest/globals';
import { written } from '../../packages/tools/docs/written.ts';
import { read } from '../structure/project.ts';

describe('what is written from sources', () => {
  it.each(written)('%s is up to date: if not, run the script "docs"', async (path, write) => {
    expect(read(path)).toBe(await write(path));
  });
});
