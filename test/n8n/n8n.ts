import nodeCrypto from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  ICredentialType,
  IDataObject,
  INode,
  INodeParameters,
  INodeType,
  IWorkflowExecuteAdditionalData,
  Logger,
  Workflow,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { bundlePackage } from '../../packages/n8n-nodes-screen-advertising/scripts/bundle.mts';

/** jest.environment.ts keeps Node's own under this key: a worker loads n8n once for all its files. */
const { [Symbol.for('screen-advertising.create-require')]: loaderOf = createRequire } =
  globalThis as { [key: symbol]: typeof createRequire | undefined };

const load = loaderOf(import.meta.url);

/** n8n reads this while it loads. That of a test is a copy, which n8n does not see. */
const { env } = load('node:process') as typeof process;
env.N8N_USER_FOLDER ??= temporaryFolder();
env.N8N_ENCRYPTION_KEY = 'only for this run';
env.N8N_DIAGNOSTICS_ENABLED = 'false';
env.N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS = 'true';
env.N8N_LOG_LEVEL ??= 'silent';

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'n8n-engine-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The newest n8n, unless a test run selects the oldest supported one: see engines/run.ts. */
const { N8N_ENGINE: chosen } = process.env;

/** Loaded as n8n's server does, so that each class has only one copy. */
load('reflect-metadata');
const loadEngine = chosen ? loaderOf(path.join(chosen, 'package.json')) : load;
export const n8nWorkflow = loadEngine('n8n-workflow') as typeof import('n8n-workflow');
export const n8nCore = loadEngine('n8n-core') as typeof import('n8n-core');

/** The clock of `$today` and `$now` in expressions. */
export const { Settings: n8nClock } = loaderOf(loadEngine.resolve('n8n-workflow'))('luxon') as {
  Settings: { now: () => number };
};

/** Loads a package of n8n's, as its core does. */
export const loadAsCore = loaderOf(loadEngine.resolve('n8n-core'));

/** What n8n builds once for the whole process, by its class. */
export const { Container: n8nContainer } = loadAsCore('@n8n/di') as {
  Container: { get<Service>(type: abstract new (...args: never[]) => Service): Service };
};

const { Logger: N8nLogger } = loadAsCore('@n8n/backend-common') as {
  Logger: abstract new () => Logger;
};

/** The log that every context gives its node. */
export const n8nLogger = n8nContainer.get(N8nLogger);

/** n8n's contexts match their interfaces, except that optional properties may be undefined. */
export function asDeclared<Declared>(context: unknown): Declared {
  return context as Declared;
}

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

/** A node of a workflow; `type` is that of the package, such as `screenAdvertising`. */
export interface EngineNode extends Partial<Omit<INode, 'type' | 'parameters'>> {
  readonly type: string;
  readonly parameters: INodeParameters;
}

/** What runs nodes: an `Engine`. */
export interface Host {
  /** As after a restart of n8n, the package remembers nothing. */
  restart(): Promise<void>;
  workflow(nodes: readonly EngineNode[], staticData?: IDataObject): Workflow;
  additionalData(mode: WorkflowExecuteMode, workflow: Workflow): IWorkflowExecuteAdditionalData;
}

export function firstNode({ nodes }: Workflow): INode {
  const [node] = Object.values(nodes);
  if (!node) throw new Error('A workflow needs a node.');
  return node;
}
