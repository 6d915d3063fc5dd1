import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Engine } from '../../../n8n/engine.ts';
import { siblingPath } from '../../lib/worker.ts';

const run = promisify(execFile);
const version = '2.41.2';
/** What the nodes that are measured ask for and the workspace does not have. */
const missing = ['@mozilla/readability', 'cheerio', 'html-to-text', 'jsdom', 'moment-timezone'];

const cache = siblingPath(import.meta.url, '../../../../.cache/');
const folder = path.join(cache, `n8n-nodes-base-${version}`);
const hoisted = siblingPath(import.meta.url, '../../../../node_modules/.pnpm/node_modules');

/** n8n's own nodes, unpacked once and not installed: all that they can do needs a gigabyte. */
export async function nodesBase(): Promise<string> {
  if (!existsSync(folder)) {
    const staging = `${folder}.new`;
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true });
    await fill(staging);
    await rename(staging, folder);
  }
  return path.join(folder, 'package/dist');
}

/** Where those nodes find what they import: the same copies as n8n-core's own. */
export const nodesBasePath = [hoisted, path.join(folder, 'node_modules')].join(path.delimiter);

async function fill(staging: string): Promise<void> {
  const options = { cwd: staging };
  await run('npm', ['pack', '--silent', `n8n-nodes-base@${version}`], options);
  await run('tar', ['xzf', `n8n-nodes-base-${version}.tgz`], options);
  const manifest = await readFile(path.join(staging, 'package/package.json'), 'utf8');
  const all: Record<string, string> = JSON.parse(manifest).dependencies;
  const dependencies = Object.fromEntries(missing.map((name) => [name, all[name]]));
  await writeFile(path.join(staging, 'package.json'), JSON.stringify({ dependencies }));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], options);
}

type Nodes = Engine['package']['nodes'];
type Node = NonNullable<ReturnType<Nodes['get']>>;
type Versions = new () => { readonly nodeVersions: Readonly<Record<number, Node>> };

const load = createRequire(import.meta.url);

/** Adds n8n's own node, under the type by which n8n lets it use every credential. */
export async function addHttpRequest(engine: Engine): Promise<void> {
  const file = path.join(await nodesBase(), 'nodes/HttpRequest/HttpRequest.node.js');
  const { HttpRequest } = load(file) as { readonly HttpRequest: Versions };
  const node = new HttpRequest().nodeVersions[4.2];
  if (!node) throw new Error('There is no version 4.2 of HTTP Request.');
  (engine.package.nodes as Map<string, Node>).set('n8n-nodes-base.httpRequest', node);
}
