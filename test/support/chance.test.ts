import { describe, expect, it } from '@jest/globals';
import { projectFiles } from '../structure/project.ts';
import { chanceOf } from './chance.ts';

const first = (file: string, seed = 1) => chanceOf(file, seed)();

describe('what tests choose at random', () => {
  it('differs between all files', () => {
    const files = projectFiles().filter((path) => path.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(100);
    expect(new Set(files.map((file) => first(file))).size).toBe(files.length);
  });

  it('differs between seeds, and is the same for the same seed', () => {
    const file = 'shared/client/attempts.test.ts';
    expect(first(file, 1)).not.toBe(first(file, 2));
    expect(first(file, 1)).toBe(first(file, 1));
  });
});
