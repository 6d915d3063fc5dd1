import path from 'node:path';
import { installOnDemand } from './install-on-demand.ts';
import { root } from './paths.ts';

export interface N8nInstall {
  readonly folder: string;
  /** The Node that it runs on. */
  readonly node: string;
  /** Its command line. */
  readonly entry: string;
}

/** Installs the pinned n8n in a separate folder, about 2 GB. */
export async function installN8n(): Promise<N8nInstall> {
  const folder = await installOnDemand({
    name: 'n8n',
    source: path.join(root, 'test/e2e/n8n-server'),
    files: ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'],
  });
  const modules = path.join(folder, 'node_modules');
  return {
    folder,
    node: path.join(modules, 'node/bin/node'),
    entry: path.join(modules, 'n8n/bin/n8n'),
  };
}
