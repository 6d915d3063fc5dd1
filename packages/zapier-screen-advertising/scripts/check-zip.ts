import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { appFolder, type Variant } from './variants.ts';

const largestZip = 0.75 * 1024 * 1024;

/** Throws if the zip is too large or does not load. Prints its size. */
export async function checkZip(variant: Variant): Promise<void> {
  const zip = await readFile(join(appFolder(variant), 'build/build.zip'));
  const folder = await mkdtemp(join(tmpdir(), 'zapier-zip-'));
  try {
    await unpack(zip, folder);
    await load(folder);
    const size = `${variant}: ${(zip.length / 1024 / 1024).toFixed(2)} MB`;
    process.stdout.write(`${size}\n`);
    if (zip.length > largestZip) throw new Error(`${size}; at most 0.75 MB are wanted.`);
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
