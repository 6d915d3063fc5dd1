import type { EmptyProject } from '../../empty-project.ts';
import { runBeside } from '../../run.ts';
import { type Consumer, check, given, installed, steps } from './consumer.ts';

const core = '@screen-advertising/core';

const esm = `
import * as core from '${core}';
${steps}
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
        check(name, await runBeside(installed(project, program), all, project.folder));
      }
    },
  };
}

const nodeOf = (version: string) =>
  `node-${version.split('.')[0]}@npm:node-${process.platform}-${process.arch}@${version}`;

const all = Object.keys(programs) as Program[];

export const runtimes: Readonly<Record<string, Consumer>> = {
  // The oldest that `engines` names; undici needs a newer one.
  'Node.js 20.0.0': runtime(
    [nodeOf('20.0.0')],
    'node-20/bin/node',
    [],
    all.filter((name) => name !== 'undici.mjs'),
  ),
  'Node.js 26.10.0': runtime([nodeOf('26.10.0')], 'node-26/bin/node', [], all),
  'Bun 1.4.5': runtime(['bun@1.4.5'], '@oven/bun-*/bin/bun', [], all),
  'Deno 2.9.6': runtime(['deno@2.9.6'], '@deno/*/deno', ['run', '--allow-all'], all),
};
