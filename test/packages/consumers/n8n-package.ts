import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writePublicRepository } from '../../../packages/n8n-nodes-screen-advertising/scripts/public-repository.mts';
import { commandsOf } from '../../docs/commands/kinds.ts';
import { emptyProject } from '../empty-project.ts';
import { root, run } from '../run.ts';
import type { Tarball } from '../tarball.ts';

/**
 * Loads the package as n8n does at its start: reads the list in package.json, loads each file, and
 * creates the class. The core, most of the code, waits for its first use.
 */
const program = `
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const load = createRequire(import.meta.url);
const folder = './node_modules/n8n-nodes-screen-advertising/';
const { n8n, dependencies = {} } = load(folder + 'package.json');
const files = [...n8n.nodes, ...n8n.credentials];
for (const file of files) {
  const name = file.match(/([^/]+?)\\.(node|credentials)\\.js$/)[1];
  const made = new (load(folder + file)[name])();
  const { displayName, icon } = made.description ?? made;
  if (!displayName) throw new Error(file + ' has no name');
  const beside = Object.values(icon).map((at) => path.join(path.dirname(file), at.replace('file:', '')));
  if (made.description) beside.push(file.replace(/js$/, 'json'));
  const missing = beside.filter((one) => !existsSync(folder + one));
  if (missing.length > 0) throw new Error(file + ' needs ' + missing);
}
const isCore = (file) => file.includes('n8n-nodes-screen-advertising') && file.endsWith('core.js');
if (Object.keys(load.cache).some(isCore)) throw new Error('The core is loaded at the start');
console.log(files.length, Object.keys(dependencies).length);
`;

const contents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'examples', 'package.json'];
const source =
  '// Source: https://github.com/screen-advertising/connectors/tree/main/shared, with zod and lean-qr';

export async function tryN8nPackage(folder: string, { file }: Tarball): Promise<void> {
  const { size } = statSync(file);
  if (size > 110_000) throw new Error(`The n8n package has ${size} bytes.`);
  const project = await emptyProject(folder, 'n8n-consumer', [file, 'n8n-workflow@2.41.0']);
  project.write('program.mjs', program);
  const printed = await project.node('program.mjs');
  if (printed !== '7 0\n') throw new Error(`Files and dependencies of the n8n package: ${printed}`);
  const unpacked = join(project.folder, 'node_modules/n8n-nodes-screen-advertising');
  const found = readdirSync(unpacked).filter((name) => name !== 'node_modules');
  if (found.sort().join() !== contents.join()) throw new Error(`The n8n package has ${found}.`);
  // It is minified.
  if (!readFileSync(join(unpacked, 'dist/core.js'), 'utf8').split('\n').includes(source))
    throw new Error('The core does not say where its source is.');
}

const n8nPackage = join(root, 'packages/n8n-nodes-screen-advertising');
const installed = 'node_modules/n8n-nodes-screen-advertising/package.json';

/** Follows the documents' steps for installing the node by hand, in a separate home folder. */
export async function tryByHand(folder: string, { file }: Tarball): Promise<void> {
  const commands = commandsOf('the n8n package by hand');
  const told = (document: string) =>
    ['set -e', ...commands.filter((one) => one.document === document).map(({ text }) => text)].join(
      '\n',
    );

  const home = join(folder, 'home');
  mkdirSync(home);
  try {
    await run('env', [`HOME=${home}`, 'bash', '-c', told('docs/n8n.md')], root);
  } finally {
    for (const packed of globSync(`${n8nPackage}/*.tgz`)) rmSync(packed);
  }
  if (!existsSync(join(home, '.n8n/nodes', installed))) throw new Error('docs/n8n.md: no node.');

  const cluster = join(folder, 'cluster');
  mkdirSync(cluster);
  // What `npm pack` will fetch once the package is published.
  copyFileSync(file, join(cluster, 'n8n-nodes-screen-advertising-0.0.0.tgz'));
  await run('bash', ['-c', told('docs/n8n-cluster/README.md')], cluster);
  if (!existsSync(join(cluster, 'nodes', installed))) {
    throw new Error('docs/n8n-cluster/README.md: no node.');
  }
}

/**
 * Does in the generated repository what its workflow does, with this core in place of the published
 * one, and compares what it would publish with the package of this workspace.
 */
export async function tryPublicRepository(
  parent: string,
  core: Tarball,
  ours: Tarball,
): Promise<void> {
  const folder = join(parent, 'public');
  await writePublicRepository(folder);
  const manifest = join(folder, 'package.json');
  const text = readFileSync(manifest, 'utf8');
  if (/"directory"|"private"/.test(text)) throw new Error('The manifest is of a monorepo.');
  const local = text.replace(/("@screen-advertising\/core": )".*"/, `$1"file:${core.file}"`);
  writeFileSync(manifest, local);
  // As the release does before it hands the repository over.
  await run('npx', ['-y', 'pnpm@12', 'install', '--lockfile-only', '--ignore-scripts'], folder);
  const workflow = readFileSync(join(folder, '.github/workflows/publish.yml'), 'utf8');
  const [build = ''] = workflow.split('\n  publish:');
  const steps = [...build.matchAll(/- run: (.*)/g)].map(([, step = '']) => step);
  if (steps.length !== 4) throw new Error(`The workflow builds in other steps: ${steps}`);
  for (const step of steps) await run('bash', ['-c', step], folder);

  const [tarball = ''] = globSync(join(folder, 'release/*.tgz'));
  const [theirs, own] = [await unpacked(tarball), await unpacked(ours.file)];
  const differing = [...new Set([...theirs.keys(), ...own.keys()])].filter(
    (file) => file !== 'package.json' && theirs.get(file) !== own.get(file),
  );
  if (differing.length > 0) throw new Error(`The public repository builds others: ${differing}`);
}

/**
 * The text of each file. Names that esbuild shortens follow from the paths of the sources, which
 * differ: here each is the same.
 */
async function unpacked(tarball: string): Promise<Map<string, string>> {
  const folder = `${tarball}-unpacked`;
  mkdirSync(folder);
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => [file, readFileSync(join(folder, file), 'latin1')] as const);
  return new Map(
    texts.map(([file, text]) => [
      file,
      file.endsWith('core.js')
        ? text.replace(/(?<![\w$])[a-zA-Z_$][\w$]{0,2}(?![\w$])/g, '_')
        : text,
    ]),
  );
}
