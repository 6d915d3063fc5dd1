import { createRequire } from 'node:module';
import path from 'node:path';
import type { Engine } from '../../../n8n/engine.ts';
import { nodesBase } from './nodes-base.ts';

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
