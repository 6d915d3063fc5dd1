import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { IBinaryData, IConnections, IDataObject, INode } from 'n8n-workflow';
import { Engine, type EngineNode } from '../n8n/engine/engine.ts';
import { packageName } from '../n8n/engine/load-package.ts';
import { serveWebhook, type WebhookServer } from '../n8n/engine/webhook-server.ts';
import { credentialsOf } from '../n8n/world.ts';
import { read } from '../structure/project.ts';
import { type Automation, eventRuns, type Fields, type Outcome } from './automation.ts';
import type { EventRoute } from './event-route.ts';

export const workflowFolder = path.join(
  import.meta.dirname,
  `../../packages/${packageName}/examples`,
);

export interface WorkflowFile {
  readonly name: string;
  readonly nodes: readonly INode[];
  readonly connections: IConnections;
}

export function readWorkflow(recipe: string): WorkflowFile {
  return JSON.parse(readFileSync(path.join(workflowFolder, `${recipe}.json`), 'utf8'));
}

/** What the page of n8n says about a workflow. */
export function n8nSteps(name: string): string {
  const sections = read('docs/recipes/n8n.md').split(/^## /m);
  const steps = sections.find((section) => section.startsWith(`${name}\n`));
  if (steps === undefined) throw new Error(`The page of n8n has no section "${name}".`);
  return steps;
}

/** The workflow as a person imports it, with their credentials selected, on n8n's engine. */
export async function openWorkflow(
  recipe: string,
  sandbox: Sandbox,
  baseUrl: string,
  route: EventRoute,
): Promise<Automation> {
  const file = readWorkflow(recipe);
  const { relay } = route;
  const engine = await Engine.start({
    ...credentialsOf(sandbox, baseUrl),
    ...(relay && {
      screenAdvertisingRelayApi: { baseUrl: relay.url, connectorKey: relay.connectorKey },
    }),
  });
  const imported = file.nodes.map(withoutCredentials);
  const nodes = relay ? imported : imported.map(receivingDirectly);
  const [trigger] = nodes;
  if (!trigger) throw new Error(`${recipe} has no node.`);

  async function run(items: readonly IDataObject[], chosen = nodes): Promise<Outcome> {
    const { connections } = file;
    const result = await engine.runWorkflow(chosen, { items, connections, mode: 'webhook' });
    const last = chosen.findLast(({ name = '' }) => isHandOver(file, name));
    const output = result.output(last?.name ?? '');
    const handedOver = output.map(({ json }) => json);
    const files = output.flatMap(({ binary = {} }) => Object.values(binary)).map(fileOf);
    return {
      handedOver,
      ...(files.length > 0 && { files }),
      ...(result.error && { failure: result.error.message }),
    };
  }

  const events = eventRuns(sandbox, route, async (add) => {
    const server: WebhookServer = await serveWebhook(engine, trigger, {
      onExecution: (items) => add(run(items.map(({ json }) => json))),
    });
    return server;
  });

  return {
    ...events,
    start: (rows) => run([{}], rows ? nodes.map((node) => withRows(node, rows)) : nodes),
  };
}

/** The node where the user continues with their own email program or spreadsheet. */
function isHandOver({ nodes, connections }: WorkflowFile, name: string): boolean {
  const { type } = nodes.find((node) => node.name === name) ?? {};
  return type === 'n8n-nodes-base.set' && connections[name] === undefined;
}

/** The engine keeps a file beside its item, as base64. */
function fileOf({ data, fileName = '', mimeType }: IBinaryData): File {
  return new File([Buffer.from(data, 'base64')], fileName, { type: mimeType });
}

/** The engine finds the person's credentials by type. */
function withoutCredentials({ credentials: _, ...node }: INode): EngineNode {
  return { ...node, type: node.type.replace(`${packageName}.`, '') };
}

/** The changes that a person without a relay makes. */
function receivingDirectly(node: EngineNode): EngineNode {
  const { delivery } = node.parameters;
  return delivery ? { ...node, parameters: { ...node.parameters, delivery: 'direct' } } : node;
}

/** A person's own list replaces the example's. */
function withRows(node: EngineNode, rows: readonly Fields[]): EngineNode {
  if (node.name !== 'Your List') return node;
  const assignments = [{ id: 'rows', name: 'rows', type: 'array', value: JSON.stringify(rows) }];
  return { ...node, parameters: { ...node.parameters, assignments: { assignments } } };
}
