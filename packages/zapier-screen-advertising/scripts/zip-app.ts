import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { type AppVariant, appFolder, buildApp, packageFolder } from './build-app.ts';

const require = createRequire(import.meta.url);
const zapier = require.resolve('zapier-platform-cli/src/bin/run');

/** The pnpm that runs this script: a release pins its version. */
const { npm_execpath: pnpm = 'pnpm' } = process.env;

/** No account, no telemetry, no check for updates. */
const offline = { DISABLE_ZAPIER_ANALYTICS: '1', NO_UPDATE_NOTIFIER: '1' };

/** Builds, zips and checks these variants. Each zip is in the folder of its app. */
export async function buildZips(variants: readonly AppVariant[]): Promise<void> {
  const staging = await mkdtemp(join(tmpdir(), 'zapier-screen-advertising-'));
  try {
    await installAppDependencies(join(staging, 'app'));
    for (const variant of variants) {
      await buildApp(variant);
      await zipApp(appFolder(variant), join(staging, 'app'));
      await checkZip(variant);
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Uploads the zip of a variant. `zapier register` or `zapier link` ran in its folder before. */
export async function uploadZip(variant: AppVariant): Promise<void> {
  await run(process.execPath, [zapier, 'upload'], { cwd: appFolder(variant) });
}

/**
 * Zapier's build adds whatever the workspace links to the zip, so it runs in a folder that holds
 * only the app and its dependencies, in the versions of the workspace's lockfile.
 */
export async function installAppDependencies(staging: string): Promise<void> {
  const deploy = ['--filter', 'zapier-screen-advertising', '--prod', '--legacy'];
  const flat = '--config.node-linker=hoisted';
  await run(pnpm, [...deploy, flat, 'deploy', staging], { cwd: packageFolder });
}

/**
 * Leaves build.zip and source.zip in the folder `build` of an app, where Zapier's upload looks for
 * them. The app is built in `staging`, where `install` ran.
 */
export async function zipApp(folder: string, staging: string): Promise<void> {
  const licenses = ['LICENSE', 'LICENSE-zod.txt', 'LICENSE-lean-qr.txt'];
  for (const file of ['index.js', 'package.json', '.gitignore', ...licenses]) {
    await cp(join(folder, file), join(staging, file));
  }
  const args = ['build', '--skip-dep-install', '--skip-validation'];
  await run(process.execPath, [zapier, ...args], { cwd: staging, env: offline });
  await mkdir(join(folder, 'build'), { recursive: true });
  for (const file of ['build.zip', 'source.zip']) {
    await cp(join(staging, 'build', file), join(folder, 'build', file));
  }
}

/** Runs a program and prints its output. Rejects when it fails. */
async function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with code ${code}.`);
}

const maxZip = 0.75 * 1024 * 1024;

/** Throws if the zip is too large or does not load. Prints its size. */
export async function checkZip(variant: AppVariant): Promise<void> {
  const zip = await readFile(join(appFolder(variant), 'build/build.zip'));
  const folder = await mkdtemp(join(tmpdir(), 'zapier-zip-'));
  try {
    await unpack(zip, folder);
    await load(folder);
    const size = `${variant}: ${(zip.length / 1024 / 1024).toFixed(2)} MB`;
    process.stdout.write(`${size}\n`);
    if (zip.length > maxZip) throw new Error(`${size}; at most 0.75 MB are wanted.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(zip: Uint8Array, folder: string): Promise<void> {
  for (const [name, content] of Object.entries(unzipSync(zip))) {
    if (name.endsWith('/')) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** Loads it as Zapier does; the benchmark measures how long that takes. */
async function load(folder: string): Promise<void> {
  const modules = ['./zapierwrapper.js', './index.js'];
  const script = modules.map((name) => `require(${JSON.stringify(name)});`).join(' ');
  await promisify(execFile)(process.execPath, ['-e', script], { cwd: folder });
}
