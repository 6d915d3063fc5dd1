import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { besides } from '../../lib/worker.ts';

/** Bytes that the bundled app takes in the zip that is uploaded. */
export async function zippedBytes(): Promise<number> {
  const file = '../../../../packages/zapier-screen-advertising/build/public/index.js';
  const text = await readFile(besides(import.meta.url, file));
  return (await promisify(deflateRaw)(text, { level: 9 })).length;
}
