import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import { node, startProgram } from '../../support/program.ts';
import type { Held } from './watch-memory.ts';

let server: Listening | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  server = await listen(createServer(listener));
  return `http://127.0.0.1:${server.port}/api/v1`;
}

/** How to start a program in a separate process, so that nothing else is measured. */
function command(program: string, ...flags: string[]): string[] {
  return [...flags, '--conditions=source', '--no-warnings', path.join(__dirname, program)];
}

describe('after many calls, aborts and failures nothing is held', () => {
  /** Bytes: no object that a call leaves behind is as small. */
  const leastThatLeaks = 64;

  // Both platforms' engines keep warming up for a while, which costs a few hundred bytes.
  it.each([
    ['core-program.ts', 18_000, leastThatLeaks, ''],
    ['n8n-program.ts', 2000, 8 * leastThatLeaks, 'TCP'],
    ['zapier-program.ts', 2000, 8 * leastThatLeaks, 'TCP'],
  ])('by %s', async (program, leastCalls, mostGrowth, ofOurs) => {
    const { output } = await startProgram(node, command(program, '--expose-gc')).ended;
    const held = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Held;
    expect(held.calls).toBeGreaterThanOrEqual(leastCalls);
    expect(growthOf(held)).toBeLessThan(mostGrowth);
    expect(held.resources.filter((resource) => resource.startsWith(ofOurs))).toEqual([]);
  });
});

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

describe('a process that may open few files', () => {
  /** Calls at once in such a process, and how they ended. */
  async function run(files: number, ...args: string[]): Promise<unknown> {
    const baseUrl = await serve((_request, response) => response.end('{"data":{"exists":false}}'));
    const limited = ['-c', 'ulimit -n "$1"; shift; exec "$@"', 'sh', String(files), node];
    const program = command('descriptors-program.ts');
    const { code, output, errors } = await startProgram('sh', [
      ...limited,
      ...program,
      baseUrl,
      ...args,
    ]).ended;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    return JSON.parse(output);
  }

  it.each(['undici', 'default'])(
    'loses none of its calls at once, over the transport %s',
    async (kind) => {
      expect(await run(256, '2000', kind)).toEqual({ done: 2000, failed: 0 });
    },
  );

  it('gets an error that names the cause, not the base URL, when it wants more connections than that', async () => {
    expect(await run(128, '500', 'undici', '500')).toMatchObject({
      first: {
        code: 'network_error',
        sent: 'no',
        isRetryable: true,
        message: expect.stringMatching(/too many open files and connections \(EMFILE\)/),
      },
    });
  });
});
