import { describe, expect, it } from '@jest/globals';
import { idleAssertions } from './assertions.ts';
import { projectFiles, read } from './project.ts';

it('every test asserts, whatever happens', () => {
  const tests = projectFiles().filter((path) => /^test\/.*\.(?:test|e2e)\.ts$/.test(path));
  expect(tests.length).toBeGreaterThan(250);
  expect(tests.flatMap((path) => idleAssertions(path, read(path)))).toEqual([]);
});

describe('an assertion that may never run is reported', () => {
  it.each([
    ['in a catch', "it('a', () => { try { b(); } catch (error) { expect(error).toBe(1); } });"],
    ['in a rejection', "it('a', () => b().catch((error) => { expect(error).toBe(1); }));"],
    ['in an open loop', "it('a', () => { for (const b of c()) expect(b).toBe(1); });"],
  ])('%s', (_where, source) => {
    expect(idleAssertions('a.test.ts', source)).toEqual([expect.stringMatching(/^a\.test\.ts:1 /)]);
  });

  it.each([
    "it('a', () => { expect(c.length).toBe(2); for (const b of c) expect(b).toBe(1); });",
    "it('a', () => { for (const b of [1, 2]) expect(b).toBe(1); });",
    "it('a', async () => { expect(await b().catch(String)).toBe(1); });",
  ])('but not: %s', (source) => {
    expect(idleAssertions('a.test.ts', source)).toEqual([]);
  });
});
