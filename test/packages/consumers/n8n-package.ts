import { emptyProject } from '../empty-project.ts';
import type { Tarball } from '../pack.ts';

/**
 * Loads the package as n8n does at its start: reads the list in package.json, loads each file, and
 * creates the class.
 */
const program = `
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const folder = './node_modules/n8n-nodes-screen-advertising/';
const { n8n, dependencies = {} } = load(folder + 'package.json');
const files = [...n8n.nodes, ...n8n.credentials];
for (const file of files) {
  const name = file.match(/([^/]+?)\\.(node|credentials)\\.js$/)[1];
  const made = new (load(folder + file)[name])();
  if (!(made.description?.displayName ?? made.displayName)) throw new Error(file + ' has no name');
}
console.log(files.length, Object.keys(dependencies).length);
`;

export function tryN8nPackage(folder: string, { file }: Tarball): void {
  const project = emptyProject(folder, 'n8n-consumer', [file, 'n8n-workflow@2.41.0']);
  project.write('program.mjs', program);
  const printed = project.node('program.mjs');
  if (printed !== '7 0\n') throw new Error(`Files and dependencies of the n8n package: ${printed}`);
}
