import { join } from 'node:path';
import { allBlocks } from '../../../docs/commands/typed.ts';
import { runBeside } from '../../run.ts';
import { type Consumer, expected, given, steps } from './consumer.ts';

/** As the guide shows it. */
const [sandbox = '', closeSandbox = ''] = allBlocks
  .filter(({ document, language }) => document === 'docs/code-recipes.md' && language === 'js')
  .map(({ text }) => text);

const body = `
${steps}
test('the core', async () => {
  expect(await steps(core, JSON.parse(process.env.GIVEN))).toBe('${expected}');
});
test('the sandbox of the guide', async () => {
  const { SCREEN_ADVERTISING_BASE_URL: baseUrl, SCREEN_ADVERTISING_API_KEY: key } = process.env;
  const client = core.createClient({ baseUrl, auth: core.apiKey(key) });
  expect((await client.screens.list({ city: 'Berlin', limit: 1 })).data).toHaveLength(1);
});
`;

const configs = {
  'jest.config.json': JSON.stringify({
    globalSetup: './sandbox.mjs',
    globalTeardown: './close-sandbox.mjs',
  }),
  'vitest.config.mjs': "export default { test: { globalSetup: './sandbox.mjs' } };",
};

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
      write('sandbox.mjs', sandbox);
      write('close-sandbox.mjs', closeSandbox);
      write(file, head + body);
      for (const [config, text] of Object.entries(configs)) write(config, text);
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
