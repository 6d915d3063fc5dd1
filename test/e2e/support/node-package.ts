import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withoutWorkspace } from './install-on-demand.ts';
import { nodePackage } from './paths.ts';
import { run } from './program.ts';
import { say } from './progress.ts';

const name = 'n8n-nodes-screen-advertising';

/** Where the runner keeps the tarball that all test files share. */
const { PACKED_NODE } = process.env;

let packed = PACKED_NODE === undefined ? undefined : Promise.resolve(PACKED_NODE);

/**
 * Puts the package, as it would be published, where n8n keeps community packages and loads them at
 * its start. It has no dependencies, so unpacking is all that n8n's own installer would do.
 */
export async function addNodePackage(userFolder: string): Promise<void> {
  packed ??= packNode();
  const tarball = await packed;
  const folder = path.join(userFolder, '.n8n/nodes/node_modules', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

/** Builds and packs the package; gives the tarball, which this process removes at its end. */
export async function packNode(): Promise<string> {
  say('Building and packing the node package');
  const folder = await mkdtemp(path.join(tmpdir(), 'packed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const inPackage = { cwd: nodePackage, env: withoutWorkspace() };
  await run(process.execPath, ['scripts/build.mts'], inPackage);
  await run('npx', ['-y', 'pnpm@12', 'pack', '--pack-destination', folder], inPackage);
  const [tarball] = await readdir(folder);
  if (tarball === undefined) throw new Error(`Packing ${name} gave no tarball.`);
  return path.join(folder, tarball);
}
