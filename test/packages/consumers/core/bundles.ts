import { join } from 'node:path';
import { build } from 'esbuild';
import type { EmptyProject } from '../../empty-project.ts';
import { run } from '../../run.ts';
import { type Consumer, check, given, installed, steps } from './consumer.ts';

/** Bundles for a platform without modules of Node.js: an import of one fails. */
async function bundle(
  { folder }: EmptyProject,
  outfile: string,
  conditions: string[],
  contents: string,
): Promise<void> {
  await build({
    stdin: { contents, resolveDir: folder },
    outfile: join(folder, outfile),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions,
    logLevel: 'silent',
  });
}

const imports = "import * as core from '@screen-advertising/core';\n";

const workerConfig = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
      compatibilityDate = "2026-11-01",
      bindings = [(name = "GIVEN", json = embed "worker.mjs.json")],
    )),
    (name = "internet", network = (allow = ["local"], tlsOptions = ())),
  ]
);
`;

export const bundles: Readonly<Record<string, Consumer>> = {
  'esbuild for browsers': {
    packages: [],
    async use(project, service) {
      const program = `${imports}${steps}\nconsole.log(await steps(core, ${given(service)}));`;
      await bundle(project, 'browser.mjs', [], program);
      check('browser.mjs', await run('node', ['browser.mjs'], project.folder));
    },
  },
  'workerd 1.20261117.1': {
    packages: ['workerd@1.20261117.1'],
    async use(project, service) {
      const worker = `${imports}${steps}
        export default {
          async test(_controller, { GIVEN }) {
            console.log(await steps(core, GIVEN));
          },
        };`;
      await bundle(project, 'worker.mjs', ['workerd', 'worker'], worker);
      project.write('worker.capnp', workerConfig);
      project.write('worker.mjs.json', given(service));
      const program = installed(project, '@cloudflare/workerd-*/bin/workerd');
      check('worker.mjs', await run(program, ['test', 'worker.capnp'], project.folder));
    },
  },
};
