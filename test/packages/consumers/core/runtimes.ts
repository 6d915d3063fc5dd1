import { join } from 'node:path';
import { allBlocks } from '../../../docs/commands/typed.ts';
import type { EmptyProject } from '../../empty-project.ts';
import { run } from '../../run.ts';
import { type Consumer, check, expected, given, installed, steps } from './consumer.ts';

const core = '@screen-advertising/core';

/** Node.js 20 warns of a signal with more than ten listeners. */
const esm = `
import * as core from '${core}';
${steps}
process.on('warning', (warning) => console.log(warning.message));
const { baseUrl, key } = JSON.parse(process.argv[2]);
const { screens } = core.createClient({ baseUrl, auth: core.apiKey(key) });
const { signal } = new AbortController();
const options = { signal, deadlineMs: 60_000 };
await Promise.all(Array.from({ length: 12 }, () => screens.list({ limit: 1 }, options)));
console.log(await steps(core, JSON.parse(process.argv[2])));
`;

const commonJs = `
const core = require('${core}');
${steps}
steps(core, JSON.parse(process.argv[2])).then(console.log);
`;

/** Both in one process, as when a program and one of its packages differ: errors of one are known to the other. */
const mixed = `
const core = require('${core}');
${steps}
import('${core}').then(async ({ ScreenAdvertisingError }) =>
  console.log(await steps({ ...core, ScreenAdvertisingError }, JSON.parse(process.argv[2]))),
);
`;

const undici = `
import * as core from '${core}';
import { undiciTransport } from '${core}/undici';
${steps}
const transport = undiciTransport();
console.log(await steps(core, JSON.parse(process.argv[2]), { transport }));
await transport.close();
`;

const overFetch = `
import * as core from '${core}';
import { fetchTransport } from '${core}/fetch';
${steps}
console.log(await steps(core, JSON.parse(process.argv[2]), { transport: fetchTransport() }));
`;

const programs = {
  'esm.mjs': esm,
  'commonjs.cjs': commonJs,
  'mixed.cjs': mixed,
  'undici.mjs': undici,
  'fetch.mjs': overFetch,
};

type Program = keyof typeof programs;

function runtime(
  packages: readonly string[],
  program: string,
  args: readonly string[],
  names: readonly Program[],
): Consumer {
  return {
    packages,
    async use(project: EmptyProject, service) {
      for (const name of names) {
        project.write(name, programs[name]);
        const all = [...args, name, given(service)];
        check(name, await run(installed(project, program), all, project.folder));
      }
    },
  };
}

/** The package of one version of Node.js, and its program. */
export function nodeOf(version: string): readonly [name: string, program: string] {
  const alias = `node-${version}`;
  const real = `node-${process.platform}-${process.arch}@${version}`;
  return [`${alias}@npm:${real}`, `${alias}/bin/node`];
}

function nodeWith(version: string, names: readonly Program[]): Consumer {
  const [name, program] = nodeOf(version);
  return runtime([name], program, [], names);
}

const all = Object.keys(programs) as Program[];
/** The version of undici that is installed needs Node.js 22.19. */
const withoutUndici = all.filter((name) => name !== 'undici.mjs');

export const runtimes: Readonly<Record<string, Consumer>> = {
  // The oldest that `engines` names, and the last of its line.
  'Node.js 20.0.0': nodeWith('20.0.0', withoutUndici),
  'Node.js 20.19.6': nodeWith('20.19.6', withoutUndici),
  'Node.js 22.23.3': nodeWith('22.23.3', all),
  'Node.js 24.21.0': nodeWith('24.21.0', all),
  'Node.js 26.10.0': nodeWith('26.10.0', all),
  'Bun 1.4.5': runtime(['bun@1.4.5'], '@oven/bun-*/bin/bun', [], all),
  'Deno 2.9.6': runtime(['deno@2.9.6'], '@deno/*/deno', ['run', '--allow-all'], all),
};

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
      await run(program, [...args, file], folder, { GIVEN: given(service) });
    },
  };
}

/** It has neither fetch nor encoders: calls go through a fetch that the project brings. */
const inJsdom = `/** @jest-environment jsdom */
const core = require('${core}');
const { fetchTransport } = require('${core}/fetch');
const fetch = require('node-fetch');
const parts = ['availability', 'contract', 'forms', 'platform', 'qr-code', 'relay', 'webhooks'];
test('imports', () => {
  for (const part of parts) require('${core}/' + part);
});
test('calls with a given fetch', async () => {
  const { baseUrl, key } = JSON.parse(process.env.GIVEN);
  const transport = fetchTransport({ fetch });
  const client = core.createClient({ baseUrl, auth: core.apiKey(key), transport });
  const { data } = await client.screens.list({ city: 'Berlin', limit: 2 });
  expect(data.map(({ city }) => city)).toEqual(['Berlin', 'Berlin']);
  const error = await client.screens.get({ screenId: 'unknown' }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'not_found', status: 404 });
});
`;

const jestVersion = '30.5.2';

const jsdom: Consumer = {
  packages: [`jest@${jestVersion}`, `jest-environment-jsdom@${jestVersion}`, 'node-fetch@2.7.0'],
  async use({ folder, write }, service) {
    write('jsdom.test.cjs', inJsdom);
    const args = ['--ci', '--config', '{}', '--runTestsByPath', 'jsdom.test.cjs'];
    await run(join(folder, 'node_modules/.bin/jest'), args, folder, { GIVEN: given(service) });
  },
};

export const testRunners: Readonly<Record<string, Consumer>> = {
  'jest-environment-jsdom': jsdom,
  'Jest 30, without flags': testRunner(
    'jest',
    jestVersion,
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
