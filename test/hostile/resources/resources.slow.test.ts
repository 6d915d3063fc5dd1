import path from 'node:path';
import { expect, it } from '@jest/globals';
import { node, startProgram } from '../../support/program.ts';
import type { Held } from './core-program.ts';

/** Bytes: no object that a call leaves behind is as small. */
const leastThatLeaks = 24;

/** Code that V8 compiles while it warms up is on the heap too, and is not what a call leaves behind. */
const interpreted = [
  '--no-sparkplug',
  '--no-maglev',
  '--no-opt',
  '--no-lazy-feedback-allocation',
  '--no-flush-bytecode',
];

it('after many calls, aborts and failures the client holds nothing', async () => {
  const program = path.join(import.meta.dirname, 'core-program.ts');
  const flags = ['--expose-gc', '--conditions=source', '--no-warnings', ...interpreted];
  const { output } = await startProgram(node, [...flags, program]).ended;
  const held = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Held;
  expect(held.calls).toBeGreaterThanOrEqual(18_000);
  expect(growthOf(held)).toBeLessThan(leastThatLeaks);
  expect(held.resources).toEqual([]);
});

/**
 * Bytes of growth for each call, once everything is warm: from the second third to the last. Of each the
 * least, since what is not collected yet only adds.
 */
function growthOf({ heap, calls }: Held): number {
  const third = Math.floor(heap.length / 3);
  const middle = Math.min(...heap.slice(third, 2 * third));
  const late = Math.min(...heap.slice(-third));
  return (late - middle) / ((calls / heap.length) * third);
}
