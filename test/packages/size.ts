import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Tarball } from './pack.ts';

const most = 1_000_000;

/** Throws if a package takes more than 1 MB of a user's disk. A tarball rounds each file up to 512 bytes. */
export function unpackedSize({ name, file }: Tarball): number {
  const tar = gunzipSync(readFileSync(file));
  let bytes = 0;
  for (let at = 0; tar[at]; ) {
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
    bytes += size;
    at += 512 + Math.ceil(size / 512) * 512;
  }
  if (bytes > most) throw new Error(`${name} is ${bytes} bytes unpacked, more than ${most}.`);
  return bytes;
}
