import nodeCrypto from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { bundlePackage } from '../../../packages/n8n-nodes-screen-advertising/scripts/bundle.mts';
import { n8nWorkflow } from './n8n.ts';

/** The nodes and credentials of the n8n package by name, as n8n would load them. */
export interface LoadedPackage {
  readonly nodes: ReadonlyMap<string, INodeType>;
  readonly credentials: ReadonlyMap<string, ICredentialType>;
}

export const packageName = 'n8n-nodes-screen-advertising';

/** The clock of the package; default: the machine's. */
export interface Time {
  /** The value of `performance.now`. */
  now(): number;
  /** The value of `Date.now`; default: `now`. */
  date?(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

let bundled: Promise<Map<string, string>> | undefined;

/** The text of each published file, by its path. */
function builtFiles(): Promise<Map<string, string>> {
  bundled ??= bundleOnce();
  return bundled;
}

/**
 * Bundles the package and loads every file of it from memory, each as a separate module: the tests
 * run exactly what would be published.
 */
export async function loadPackage(time?: Time): Promise<LoadedPackage> {
  const files = await builtFiles();
  // The only modules that a built file may load, other than the package's own files.
  const provided: Readonly<Record<string, unknown>> = {
    'n8n-workflow': time ? { ...n8nWorkflow, sleep: time.sleep } : n8nWorkflow,
    'node:crypto': nodeCrypto,
  };
  const SimulatedDate = time ? dateOf(time) : Date;
  const simulated = time ? { now: () => time.now() } : performance;
  const cache = new Map<string, { exports: Record<string, unknown> }>();

  function requireFile(file: string): Record<string, unknown> {
    const known = cache.get(file);
    if (known) return known.exports;
    const text = files.get(file);
    if (text === undefined) throw new Error(`The package has no file ${file}.`);
    const module = { exports: {} };
    cache.set(file, module);
    const requireFrom = (request: string): unknown => {
      if (request.startsWith('.')) return requireFile(path.posix.join(path.dirname(file), request));
      if (request in provided) return provided[request];
      throw new Error(`${file} asks for ${request}, which n8n does not allow.`);
    };
    const source = `${text}\n//# sourceURL=${packageName}/dist/${file}`;
    const run = new Function('require', 'module', 'exports', 'Date', 'performance', source);
    run(requireFrom, module, module.exports, SimulatedDate, simulated);
    return module.exports;
  }

  const nodes = new Map<string, INodeType>();
  const credentials = new Map<string, ICredentialType>();
  for (const file of [...files.keys()].filter((name) => name !== 'core.js')) {
    const [[className = '', kind]] = [path.posix.basename(file).split('.')];
    const Class = requireFile(file)[className] as new () => INodeType & ICredentialType;
    const instance = new Class();
    if (kind === 'node') nodes.set(instance.description.name, instance);
    else credentials.set(instance.name, instance);
  }
  return { nodes, credentials };
}

/** The first test file of a run that needs the package bundles it for the others. */
async function bundleOnce(): Promise<Map<string, string>> {
  const { TEMPORARY_FOLDER_OF_TESTS: folder } = process.env;
  if (!folder) return bundlePackage();
  const kept = path.join(folder, 'n8n-package.json');
  const text = await readFile(kept, 'utf8').catch(() => undefined);
  if (text !== undefined) return new Map(JSON.parse(text) as [string, string][]);
  const files = await bundlePackage();
  // Written whole, or not at all: another worker may read meanwhile.
  await writeFile(`${kept}.${process.pid}`, JSON.stringify([...files]));
  await rename(`${kept}.${process.pid}`, kept);
  return files;
}

function dateOf(time: Time): DateConstructor {
  return class extends Date {
    static override now(): number {
      return time.date?.() ?? time.now();
    }
  } as DateConstructor;
}
