import { randomInt } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from './support/is-alive.ts';

/**
 * One temporary folder for the run; jest.end.ts deletes whatever its processes leave there. And one
 * seed for a nightly run.
 */
export default function begin(): void {
  const parent = parentFolder();
  deleteLeft(parent);
  const folder = mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
  // The relay's PostgreSQL does not run as root, so its user must be able to enter this folder.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.env.TEMPORARY_FOLDER_OF_TESTS = folder;
  // Workers, and the programs that tests start, cache Node's compiled code here.
  process.env.NODE_COMPILE_CACHE ??= path.join(__dirname, '../node_modules/.cache/node');
  if (process.env.TEST_TIER !== 'nightly') return;
  process.env.TEST_SEED ??= String(randomInt(2 ** 31));
  writeSync(1, `Replay this run with TEST_SEED=${process.env.TEST_SEED}\n`);
}

const prefix = 'screen-advertising-tests-';

/** A run that was killed leaves its folder, with thousands of files: memory has room for few of them. */
function deleteLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, id] = /^(\d+)-/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? [];
    if (id && !isAlive(Number(id)))
      rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

const memory = '/dev/shm';
const ampleBytes = 4 * 2 ** 30;
const ampleFiles = 500_000;

/**
 * In memory if there is plenty: tests create and drop hundreds of databases of 400 files each, and
 * ext4 searches long for a place for a file while others were just deleted.
 */
function parentFolder(): string {
  const { TMPDIR, TEST_TIER } = process.env;
  if (process.platform !== 'linux' || TMPDIR || TEST_TIER === 'nightly') return tmpdir();
  // Tests also run programs there.
  const isMounted = /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m;
  if (!isMounted.test(readFileSync('/proc/mounts', 'utf8'))) return tmpdir();
  const { bavail, bsize, ffree } = statfsSync(memory);
  const bytes = Math.min(bavail * bsize, process.availableMemory());
  return bytes > ampleBytes && ffree > ampleFiles ? memory : tmpdir();
}
