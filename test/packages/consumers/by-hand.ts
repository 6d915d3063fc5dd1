import { copyFileSync, existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandsOf } from '../../docs/commands/kinds.ts';
import type { Tarball } from '../pack.ts';
import { root } from '../paths.ts';
import { run } from '../run.ts';

const n8nPackage = join(root, 'packages/n8n-nodes-screen-advertising');
const installed = 'node_modules/n8n-nodes-screen-advertising/package.json';

/** Follows the documents' steps for installing the node by hand, in a separate home folder. */
export function tryByHand(folder: string, { file }: Tarball): void {
  const commands = commandsOf('the n8n package by hand');
  const told = (document: string) =>
    ['set -e', ...commands.filter((one) => one.document === document).map(({ text }) => text)].join(
      '\n',
    );

  const home = join(folder, 'home');
  mkdirSync(home);
  try {
    run('env', [`HOME=${home}`, 'bash', '-c', told('docs/n8n.md')], root);
  } finally {
    for (const packed of globSync(`${n8nPackage}/*.tgz`)) rmSync(packed);
  }
  if (!existsSync(join(home, '.n8n/nodes', installed))) throw new Error('docs/n8n.md: no node.');

  const cluster = join(folder, 'cluster');
  mkdirSync(cluster);
  // What `npm pack` will fetch once the package is published.
  copyFileSync(file, join(cluster, 'n8n-nodes-screen-advertising-0.0.0.tgz'));
  run('bash', ['-c', told('docs/n8n-cluster/README.md')], cluster);
  if (!existsSync(join(cluster, 'nodes', installed))) {
    throw new Error('docs/n8n-cluster/README.md: no node.');
  }
}
