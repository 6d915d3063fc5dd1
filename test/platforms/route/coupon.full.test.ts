import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { node, startProgram } from '../../support/program.ts';
import type { Executed } from './executed.ts';

interface Route {
  readonly platform: string;
  readonly executed: Executed;
}

/**
 * The route of one coupon through the product, by files and functions that run: an engineer who
 * looks for a fault reads all of them. A bound may shrink; to raise it, say in the commit what it
 * buys.
 */
const bounds: Readonly<Record<string, { readonly files: number; readonly functions: number }>> = {
  n8n: { files: 27, functions: 95 },
  zapier: { files: 24, functions: 77 },
};

describe('the route of Create Coupon from a platform to the wire and back', () => {
  it('runs through few files and functions', async () => {
    const program = join(import.meta.dirname, 'coupon-program.ts');
    const options = ['--conditions=source', '--no-warnings'];
    const { output, errors } = await startProgram(node, [...options, program]).ended;
    expect(errors).toBe('');
    const routes = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Route);
    expect(routes.map(({ platform }) => platform)).toEqual(Object.keys(bounds));
    for (const { platform, executed } of routes) {
      const files = Object.keys(executed);
      const functions = Object.values(executed).flat().length;
      process.stdout.write(`${platform}: ${files.length} files, ${functions} functions\n`);
      // Both ends of the route: the platform's own field, and the core's request.
      expect(files).toContain('shared/src/client/request.ts');
      expect(files.some((file) => /create-?coupon|coupon\/create/i.test(file))).toBe(true);
      const { files: mostFiles = 0, functions: mostFunctions = 0 } = bounds[platform] ?? {};
      expect(files.length).toBeLessThanOrEqual(mostFiles);
      expect(functions).toBeLessThanOrEqual(mostFunctions);
    }
  });
});
