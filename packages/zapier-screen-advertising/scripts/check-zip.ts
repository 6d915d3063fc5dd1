import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { appFolder, type Variant } from './variants.ts';

const largestZip = 0.75 * 1024 * 1024;

/** Loading the app may take this many times as long as loading zapier-platform-core alone. */
const slowestLoad = 1.15;

const leastRounds = 15;
/** On a busy machine more of them find a quiet moment. */
const mostRounds = 60;

/** Throws when the zip is too large, does not load, or loads too slowly. Says what was measured. */
export async function checkZip(variant: Variant): Promise<void> {
  const zip = await readFile(join(appFolder(variant), 'build/build.zip'));
  const folder = await mkdtemp(join(tmpdir(), 'zapier-zip-'));
  try {
    await unpack(zip, folder);
    const ratio = await loadRatio(folder);
    const figures = `${variant}: ${(zip.length / 1024 / 1024).toFixed(2)} MB, loads in ${ratio.toFixed(2)} times the time of zapier-platform-core alone`;
    process.stdout.write(`${figures}\n`);
    if (zip.length > largestZip) throw new Error(`${figures}; at most 0.75 MB are wanted.`);
    if (ratio > slowestLoad) throw new Error(`${figures}; at most ${slowestLoad} are wanted.`);
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

/** The fastest of several rounds, taken in turn: what else the machine does only ever adds time. */
async function loadRatio(folder: string): Promise<number> {
  const times = { core: Number.POSITIVE_INFINITY, app: Number.POSITIVE_INFINITY };
  const ratio = () => times.app / times.core;
  for (let round = 0; round < mostRounds; round += 1) {
    if (round >= leastRounds && ratio() <= slowestLoad) break;
    times.core = Math.min(times.core, await loadTime(folder, ['zapier-platform-core']));
    times.app = Math.min(times.app, await loadTime(folder, ['./zapierwrapper.js', './index.js']));
  }
  return ratio();
}

/** Milliseconds that a fresh process takes for these modules. */
async function loadTime(folder: string, modules: readonly string[]): Promise<number> {
  const requires = modules.map((name) => `require(${JSON.stringify(name)});`).join(' ');
  const script = `const start = performance.now(); ${requires} console.log(performance.now() - start);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: folder });
  return Number(stdout);
}
