import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, read } from './project.ts';

const longest = 250;

describe.each(['shared/src/', 'packages/sandbox/src/'])('the files of %s', (folder) => {
  const files = projectFiles().filter((path) => path.startsWith(folder) && path.endsWith('.ts'));

  it('have names of their own, unless they are the index of a folder', () => {
    const named = files.filter((path) => basename(path) !== 'index.ts');
    expect(named.length).toBeGreaterThan(50);
    const sameNamed = Object.values(Object.groupBy(named, (path) => basename(path)));
    expect(sameNamed.filter((paths = []) => paths.length > 1)).toEqual([]);
  });

  it(`have at most ${longest} lines`, () => {
    expect(files.filter((path) => read(path).split('\n').length - 1 > longest)).toEqual([]);
  });
});
