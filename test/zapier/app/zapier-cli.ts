import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Variant } from './definition.ts';

const require = createRequire(__filename);
const packageFolder = dirname(require.resolve('zapier-screen-advertising/package.json'));
const cli = createRequire(join(packageFolder, 'package.json')).resolve(
  'zapier-platform-cli/src/bin/run',
);
const run = promisify(execFile);

/** Builds both variants, as people do before they use Zapier's commands. */
export async function buildApps(): Promise<void> {
  await run(process.execPath, ['scripts/build.ts'], { cwd: packageFolder });
}

/** The one file of a built variant. */
export async function builtApp(variant: Variant): Promise<string> {
  return readFile(join(packageFolder, 'build', variant, 'index.js'), 'utf8');
}

/** Runs Zapier's own command line tool in the folder of a built variant; returns its output. */
export async function zapierCli(
  variant: Variant,
  args: readonly string[],
  authData: Readonly<Record<string, string>> = {},
): Promise<string> {
  const form = Object.entries(authData).map(([key, value]) => [`authData_${key}`, value]);
  const { stdout } = await run(process.execPath, [cli, ...args], {
    cwd: join(packageFolder, 'build', variant),
    env: {
      ...process.env,
      ...Object.fromEntries(form),
      DISABLE_ZAPIER_ANALYTICS: '1',
      NO_UPDATE_NOTIFIER: '1',
    },
  });
  return stdout;
}
