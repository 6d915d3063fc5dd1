import { createRequire } from 'node:module';
import path from 'node:path';
import type { Engine } from '../../../n8n/engine/engine.ts';
import { nodesBase } from './nodes-base.ts';

type Nodes = Engine['package']['nodes'];
type Node = NonNullable<ReturnType<Nodes['get']>>;

const load = createRequire(import.meta.url);

/** Adds one of n8n's own, under the type by which n8n lets it use every credential. */
export async function addBaseNode(
  engine: Engine,
  file: string,
  type: string,
  version?: number,
): Promise<void> {
  const module = load(path.join(await nodesBase(), `nodes/${file}.node.js`)) as Record<
    string,
    new () => Node & { nodeVersions: Record<number, Node> }
  >;
  const Class = module[path.basename(file)];
  if (!Class) throw new Error(`${file} exports no class of its name.`);
  const instance = new Class();
  const node = version === undefined ? instance : instance.nodeVersions[version];
  if (node) (engine.package.nodes as Map<string, Node>).set(`n8n-nodes-base.${type}`, node);
}

export async function addHttpRequest(engine: Engine): Promise<void> {
  await addBaseNode(engine, 'HttpRequest/HttpRequest', 'httpRequest', 4.2);
}
