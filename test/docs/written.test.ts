import { describe, expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { written } from './written.ts';

describe('what is written from sources', () => {
  it.each(written)('%s is up to date: if not, run the script "docs"', async (path, write) => {
    expect(read(path)).toBe(await write(path));
  });
});
