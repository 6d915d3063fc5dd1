import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './command.ts';
import { withoutWorkspace } from './install-on-demand.ts';
import { nodePackage } from './paths.ts';
import { say } from './progress.ts';

const name = 'n8n-nodes-screen-advertising';

/** Builds and packs the node package as it would be published; gives the tarball. */
export async function packNodePackage(): Promise<string> {
  say('Building and packing the node package');
  const folder = await mkdtemp(path.join(tmpdir(), 'packed-'));
  const inPackage = { cwd: nodePackage, env: withoutWorkspace() };
  await run(process.execPath, ['scripts/build.mts'], inPackage);
  await run('npx', ['-y', 'pnpm@12', 'pack', '--pack-destination', folder], inPackage);
  const [tarball] = await readdir(folder);
  if (tarball === undefined) throw new Error(`Packing ${name} gave no tarball.`);
  return path.join(folder, tarball);
}

/**
 * Puts the packed package where n8n keeps community packages and loads them at its start. The
 * package has no dependencies, so unpacking is all that n8n's own installer would do.
 */
export async function addNodePackage(tarball: string, userFolder: string): Promise<void> {
  const folder = path.join(userFolder, '.n8n/nodes/node_modules', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}
