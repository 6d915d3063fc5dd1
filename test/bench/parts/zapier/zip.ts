import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { siblingPath } from '../../lib/worker.ts';

/** Bytes that the bundled app takes in the zip that is uploaded. */
export async function zippedBytes(): Promise<number> {
  const file = '../../../../packages/zapier-screen-advertising/build/public/index.js';
  const text = await readFile(siblingPath(import.meta.url, file));
  return (await promisify(deflateRaw)(text, { level: 9 })).length;
}

export interface Zips {
  readonly ours: number;
  readonly small: number;
}

/** Bytes of the whole zips, as Zapier's own command builds them: a minute's work. */
export async function zips(): Promise<Zips> {
  const script = siblingPath(import.meta.url, 'zips.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, script]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}
