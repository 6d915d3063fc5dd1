import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  bundlePackage,
  entryPoints,
} from '../../../../packages/n8n-nodes-screen-advertising/scripts/bundle.mts';
import { nodesBase } from './nodes-base.ts';

/** The files that n8n loads for an integration: its nodes and credentials. */
export async function packages(): Promise<Record<string, string[]>> {
  const base = await nodesBase();
  return {
    'this package': await ownFiles(),
    'Stripe of nodes-base': await filesOf(base, 'Stripe'),
    'HubSpot of nodes-base': await filesOf(base, 'Hubspot'),
  };
}

async function ownFiles(): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'n8n-package-'));
  for (const [name, text] of await bundlePackage()) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return (await entryPoints()).map((name) => path.join(folder, `${name}.js`));
}

async function filesOf(base: string, name: string): Promise<string[]> {
  const nodes = path.join(base, 'nodes', name);
  const credentials = path.join(base, 'credentials');
  const nodeFiles = (await readdir(nodes)).filter((file) => file.endsWith('.node.js'));
  const credentialFiles = (await readdir(credentials)).filter(
    (file) => file.startsWith(name) && file.endsWith('.credentials.js'),
  );
  return [
    ...nodeFiles.map((file) => path.join(nodes, file)),
    ...credentialFiles.map((file) => path.join(credentials, file)),
  ];
}
