import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import type {
  IDataObject,
  INodeExecutionData,
  IWebhookFunctions,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Engine, EngineNode } from './engine.ts';
import { asDeclared, n8nCore } from './n8n.ts';

/** A published webhook trigger, with what n8n's server does around it. */
export interface WebhookServer {
  readonly url: string;
  /** What each execution started with, in the order of their start. */
  readonly executions: INodeExecutionData[][];
  close(): Promise<void>;
}

/** Where n8n keeps a workflow's static data: read and written whole, the last one wins. */
export interface Database {
  staticData: string;
}

export interface WebhookOptions {
  /** `manual` while a workflow is built, `webhook` once it is published. */
  readonly mode?: WorkflowExecuteMode;
  /** Several servers share one as the processes of n8n's queue mode do; its own unless given. */
  readonly database?: Database;
  /**
   * Called with the items that an execution starts with; n8n answers before it ends. When this
   * fails, no execution starts, as when n8n's database or queue is away.
   */
  readonly onExecution?: (items: INodeExecutionData[]) => void | Promise<void>;
}

/**
 * Listens on a free port of the loopback and runs the trigger's `webhook` for each delivery. The
 * workflow is read anew each time, with its static data from the request before.
 */
export async function serveWebhook(
  engine: Engine,
  trigger: EngineNode,
  { mode = 'webhook', database = { staticData: '{}' }, onExecution }: WebhookOptions = {},
): Promise<WebhookServer> {
  const executions: INodeExecutionData[][] = [];

  async function handle(request: Request, response: Response): Promise<void> {
    if (!(await readBody(request))) {
      response.status(422).json({ message: 'Failed to parse request body' });
      return;
    }
    const staticData = JSON.parse(database.staticData) as IDataObject;
    const workflow = engine.workflow([trigger], staticData);
    const [node] = Object.values(workflow.nodes);
    if (!node) throw new Error('A workflow needs a node.');
    const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type);
    const description = nodeType.description.webhooks?.[0];
    if (!description) throw new Error('The node has no webhook.');
    const context = new n8nCore.WebhookContext(
      workflow,
      node,
      { ...engine.additionalData(mode, workflow), httpRequest: request, httpResponse: response },
      mode,
      { webhookDescription: description } as never,
      [],
      null,
    );
    const result = await nodeType.webhook?.call(asDeclared<IWebhookFunctions>(context));
    if (result?.noWebhookResponse) return;
    const items = result?.workflowData?.[0];
    if (items) {
      // n8n builds the workflow of the execution from the same static data.
      engine.workflow([trigger], staticData);
      await onExecution?.(items);
      executions.push(items);
    }
    const message = items ? 'Workflow was started' : 'Webhook call received';
    const body: unknown = result?.webhookResponse ?? { message };
    if (workflow.staticData.__dataChanged === true) {
      database.staticData = JSON.stringify(workflow.staticData);
    }
    response.status(200).json(body);
  }

  const app = express();
  app.post('/webhook/:id/webhook', (request, response) => {
    handle(request, response).catch((error: Error) => {
      response.status(500).json({ message: error.message });
    });
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook/1/webhook`,
    executions,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Keeps the bytes and parses JSON ahead of the node, as n8n does; false when that fails. */
async function readBody(request: Request & { rawBody?: Buffer }): Promise<boolean> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  request.rawBody = Buffer.concat(chunks);
  if (!request.headers['content-type']?.startsWith('application/json')) return true;
  try {
    request.body = JSON.parse(request.rawBody.toString('utf8') || '{}');
    return true;
  } catch {
    return false;
  }
}
