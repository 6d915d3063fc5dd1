import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAppFiles } from './app-files.ts';
import { bundle } from './bundle.ts';
import { checkZip } from './check-zip.ts';
import { run } from './run.ts';
import { appFolder, packageFolder, type Variant, variantNames } from './variants.ts';

const require = createRequire(import.meta.url);
const zapier = require.resolve('zapier-platform-cli/src/bin/run');

/** No account, no measuring, no look for a newer version. */
const offline = { DISABLE_ZAPIER_ANALYTICS: '1', NO_UPDATE_NOTIFIER: '1' };

/**
 * Zapier's build takes whatever the workspace links into the zip, so it runs where nothing but
 * the app and its dependencies is, in the versions of the workspace's lockfile.
 */
async function install(staging: string): Promise<void> {
  const deploy = ['--filter', 'zapier-screen-advertising', '--prod', '--legacy'];
  const flat = '--config.node-linker=hoisted';
  await run('npx', ['-y', 'pnpm@12', ...deploy, flat, 'deploy', staging], { cwd: packageFolder });
}

/** Leaves build.zip and source.zip in the folder `build` of the app, where Zapier's upload takes them. */
async function buildZip(variant: Variant, staging: string): Promise<void> {
  const folder = appFolder(variant);
  for (const file of ['index.js', 'package.json', '.gitignore', 'LICENSE']) {
    await cp(join(folder, file), join(staging, file));
  }
  const args = ['build', '--skip-dep-install', '--skip-validation'];
  await run(process.execPath, [zapier, ...args], { cwd: staging, env: offline });
  await mkdir(join(folder, 'build'), { recursive: true });
  for (const file of ['build.zip', 'source.zip']) {
    await cp(join(staging, 'build', file), join(folder, 'build', file));
  }
}

const staging = await mkdtemp(join(tmpdir(), 'zapier-screen-advertising-'));
try {
  await install(join(staging, 'app'));
  for (const variant of variantNames) {
    await bundle(variant);
    await writeAppFiles(variant);
    await buildZip(variant, join(staging, 'app'));
    await checkZip(variant);
  }
} finally {
  await rm(staging, { recursive: true, force: true });
}
