import { expect, it } from '@jest/globals';
import { idleAssertions } from './assertions.ts';
import { projectFiles, read } from './project.ts';

it('every test asserts, whatever happens', () => {
  const tests = projectFiles().filter((path) => /^test\/.*\.(?:test|e2e)\.ts$/.test(path));
  expect(tests.length).toBeGreaterThan(250);
  expect(tests.flatMap((path) => idleAssertions(path, read(path)))).toEqual([]);
});
