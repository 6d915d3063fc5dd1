import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Held } from './watch-memory.ts';

/** Runs the program in a separate process, so nothing else is measured. */
async function run(program: string): Promise<Held> {
  const flags = ['--expose-gc', '--conditions=source', '--no-warnings'];
  const file = path.join(__dirname, program);
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, file]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Held;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Bytes of growth for each call, once everything is warm: from the second third to the last. */
function growthOf({ heap, calls }: Held): number {
  const third = Math.floor(heap.length / 3);
  const middle = median(heap.slice(third, 2 * third));
  const late = median(heap.slice(-third));
  return (late - middle) / ((calls / heap.length) * third);
}

describe('after many calls, aborts and failures nothing is held', () => {
  /** No object that a call leaves behind is as small. */
  const leastThatLeaks = 64;

  it('by the client: 30 minutes at its full rate limit', async () => {
    const held = await run('core-program.ts');
    expect(held.calls).toBe(18_000);
    expect(growthOf(held)).toBeLessThan(leastThatLeaks);
    expect(held.resources).toEqual([]);
  });

  // Both platforms' engines keep warming up for a while, which costs a few hundred bytes.
  it.each(['n8n-program.ts', 'zapier-program.ts'])('by %s', async (program) => {
    const held = await run(program);
    expect(held.calls).toBeGreaterThan(2000);
    expect(growthOf(held)).toBeLessThan(8 * leastThatLeaks);
    expect(held.resources.filter((resource) => resource.startsWith('TCP'))).toEqual([]);
  });
});
