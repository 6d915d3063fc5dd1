import { join } from 'node:path';
import { runBeside } from '../../run.ts';
import { type Consumer, expected, given, steps } from './consumer.ts';

const body = `
${steps}
test('the core', async () => {
  expect(await steps(core, JSON.parse(process.env.GIVEN))).toBe('${expected}');
});
`;

function testRunner(
  name: string,
  version: string,
  args: string[],
  file: string,
  head: string,
): Consumer {
  return {
    packages: [`${name}@${version}`],
    async use({ folder, write }, service) {
      write(file, head + body);
      const program = join(folder, 'node_modules/.bin', name);
      await runBeside(program, [...args, file], folder, { GIVEN: given(service) });
    },
  };
}

export const testRunners: Readonly<Record<string, Consumer>> = {
  'Jest 30, without flags': testRunner(
    'jest',
    '30.5.2',
    ['--ci', '--runTestsByPath'],
    'jest.test.cjs',
    "const core = require('@screen-advertising/core');",
  ),
  'Vitest 5': testRunner(
    'vitest',
    '5.1.1',
    ['run'],
    'vitest.test.mjs',
    "import * as core from '@screen-advertising/core';\nimport { expect, test } from 'vitest';",
  ),
};
