import { createRequire } from 'node:module';
import path from 'node:path';
import { Engine } from '../../../n8n/engine/engine.ts';
import { answerParent } from '../../lib/worker.ts';
import { nodesBase } from './nodes-base.ts';
import type { ServiceAccess } from './service.ts';
import { lists, lookUps } from './workflows.ts';

export interface RunTask {
  readonly kind: 'lookUps' | 'lists';
  readonly access: ServiceAccess;
  readonly items: number;
}

export interface RunResult {
  readonly ms: number;
  /** Milliseconds of the processor. */
  readonly cpuMs: number;
  /** Bytes by which the process grew at its peak. */
  readonly grownBytes: number;
  readonly outputs: number;
}

/** One workflow on n8n's engine, in a process of its own. */
const [name = ''] = process.argv.slice(2);
const engine = await Engine.start({});

answerParent(async ({ kind, access, items }: RunTask): Promise<RunResult> => {
  engine.credentials.screenAdvertisingApi = { ...access };
  await addHttpRequest();
  const node = { lookUps, lists }[kind][name]?.node(access.baseUrl);
  if (!node) throw new Error(`There is no workflow ${name}.`);
  const emails = Array.from({ length: items }, (_, index) => ({
    email: `lead-${index}@x.example`,
  }));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const result = await engine.runNode(node, { items: emails });
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  if (result.error) throw result.error;
  const output = result.output(node.name ?? 'Screen Advertising');
  return {
    ms,
    cpuMs: (user + system) / 1000,
    grownBytes: process.resourceUsage().maxRSS * 1024 - before,
    outputs: countOf(output),
  };
});

/** The HTTP Request node gives one item a page. */
function countOf(output: readonly { json: Record<string, unknown> }[]): number {
  return output
    .map(({ json }) => (Array.isArray(json.data) ? json.data.length : 1))
    .reduce((sum, count) => sum + count, 0);
}

type Nodes = Engine['package']['nodes'];
type Node = NonNullable<ReturnType<Nodes['get']>>;

/** Under the type that may use every credential. */
async function addHttpRequest(): Promise<void> {
  const file = path.join(await nodesBase(), 'nodes/HttpRequest/HttpRequest.node.js');
  const { HttpRequest } = createRequire(import.meta.url)(file) as {
    HttpRequest: new () => { nodeVersions: Record<number, Node> };
  };
  const node = new HttpRequest().nodeVersions[4.2];
  if (node) (engine.package.nodes as Map<string, Node>).set('n8n-nodes-base.httpRequest', node);
}
