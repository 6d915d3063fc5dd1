import type { EventName, Scope } from '@screen-advertising/core';
import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import type { IBinaryData, IDataObject, INode } from 'n8n-workflow';
import { coreNodes } from '../n8n/core-nodes.ts';
import { credentialsOf, Engine } from '../n8n/engine.ts';
import { type EngineNode, packageName } from '../n8n/n8n.ts';
import { serveWebhook } from '../n8n/webhook-server.ts';

import { closeAfterTest } from '../support/closing.ts';
import { readPage, readWorkflow, type WorkflowFile } from './pages.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The outcome of one run of a recipe. */
interface Outcome {
  /** What the last step passed to the email program or the spreadsheet, one record each. */
  readonly handedOver: readonly Fields[];
  /** The files attached to it, if any. */
  readonly files?: readonly File[];
  /** What a person sees of a failed run. */
  readonly failure?: string;
}

export interface Recipe {
  readonly sandbox: Sandbox;
  /** Where its trigger listens, if an event starts it. */
  readonly url: string;
  /** Creates a coupon that exists before the recipe runs. */
  giveCoupon(fields: Fields): Promise<void>;
  /** The runs that the event starts, once all are done. */
  happen(event: EventName, data: Fields): Promise<Outcome[]>;
  /** The runs that any other deliveries start, at the same time, once all are done. */
  runsOf(deliver: () => Promise<unknown>): Promise<Outcome[]>;
  /** A run that a schedule or a person starts, with the rows of their list. */
  start(rows?: readonly Fields[]): Promise<Outcome>;
}

interface RecipeOptions {
  readonly variants?: SandboxOptions['variants'];
  /** The relay that delivers the events, in place of the service. */
  readonly relay?: { readonly baseUrl: string; readonly connectorKey: string };
}

export const [partner] = createSandbox().accesses;

/**
 * The workflow of a recipe as a person imports it, on n8n's engine, before a separate service whose
 * access has exactly the scopes that the recipe's page asks for. Closed after the test.
 */
export async function openRecipe(
  recipe: string,
  { variants = {}, relay }: RecipeOptions = {},
): Promise<Recipe> {
  const accesses = [{ ...partner, scopes: scopesOf(recipe) }] as const;
  const sandbox = createSandbox({ accesses, variants });
  closeAfterTest(() => sandbox.close());
  const { baseUrl } = await sandbox.listen();
  const engine = await Engine.start({
    ...credentialsOf(sandbox, baseUrl),
    ...(relay && { screenAdvertisingRelayApi: { ...relay } }),
  });
  engine.coreNodes = coreNodes;
  const file = readWorkflow(recipe);
  const imported = file.nodes.map(withoutCredentials);
  const nodes = relay ? imported : imported.map(receivingDirectly);
  const [trigger] = nodes;
  if (!trigger) throw new Error(`${recipe} has no node.`);

  async function run(items: readonly IDataObject[], chosen = nodes): Promise<Outcome> {
    const { connections } = file;
    const result = await engine.runWorkflow(chosen, { items, connections, mode: 'webhook' });
    const last = chosen.findLast(({ name = '' }) => isHandOver(file, name));
    const output = result.output(last?.name ?? '');
    const files = output.flatMap(({ binary = {} }) => Object.values(binary)).map(fileOf);
    return {
      handedOver: output.map(({ json }) => json),
      ...(files.length > 0 && { files }),
      ...(result.error && { failure: result.error.message }),
    };
  }

  const started: (readonly IDataObject[])[] = [];
  const isStartedByEvents = trigger.type === 'screenAdvertisingTrigger';
  const server = isStartedByEvents
    ? await serveWebhook(engine, trigger, {
        onExecution: (items) => void started.push(items.map(({ json }) => json)),
      })
    : undefined;
  closeAfterTest(() => server?.close());
  if (server && !relay) sandbox.webhooks.add({ url: server.url });

  const runsOf: Recipe['runsOf'] = async (deliver) => {
    started.length = 0;
    await deliver();
    return Promise.all(started.map((items) => run(items)));
  };
  return {
    sandbox,
    url: server?.url ?? '',
    giveCoupon: (fields) => createCoupon(sandbox, fields),
    happen: (event, data) => runsOf(() => sandbox.fire(event, data)),
    runsOf,
    start: (rows) => run([{}], rows ? nodes.map((node) => withRows(node, rows)) : nodes),
  };
}

export function scopesOf(recipe: string): Scope[] {
  const [sentence = ''] = /^Needs the scopes? .*$/m.exec(readPage(recipe)) ?? [];
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope as Scope);
}

/** Created by the same partner, as if the access had lost its other scopes afterwards. */
async function createCoupon(sandbox: Sandbox, fields: Fields): Promise<void> {
  const before = createSandbox({ accesses: [partner] });
  before.restore(sandbox.snapshot());
  const { status } = await before.fetch('http://sandbox.example/api/v1/coupons', {
    method: 'POST',
    headers: { authorization: `Bearer ${partner.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ discount_type: 'percent', discount_value: 5, ...fields }),
  });
  if (status !== 201) throw new Error(`The coupon was not created (status ${status}).`);
  sandbox.restore(before.snapshot());
  await before.close();
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
