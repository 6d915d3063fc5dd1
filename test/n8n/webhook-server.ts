import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import express from 'express';
import type {
  IDataObject,
  INodeExecutionData,
  IWebhookFunctions,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { asDeclared, type EngineNode, firstNode, type Host, n8nCore } from './n8n.ts';

/** A published webhook trigger, and the parts of n8n's server around it. */
export interface WebhookServer {
  readonly url: string;
  /** The items that each execution started with, in order. */
  readonly executions: INodeExecutionData[][];
  /** What the node threw: n8n stores a failed execution for each. */
  readonly failures: Error[];
  /** Resolves once no request is being processed, including those whose sender has left. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Where n8n keeps a workflow's static data: read and written whole, the last write wins. */
export interface Database {
  staticData: string;
}

export interface WebhookOptions {
  /** `manual` while a workflow is built, `webhook` once it is published. */
  readonly mode?: WorkflowExecuteMode;
  /** Several servers share one, like the processes of n8n's queue mode; default: a separate one. */
  readonly database?: Database;
  /** `WEBHOOK_URL`, read each time; default: where it listens. */
  readonly webhookUrl?: () => string;
  /**
   * Called with the items that an execution starts with; n8n responds before it ends. If this
   * fails, no execution starts, as when n8n's database or queue is unreachable.
   */
  readonly onExecution?: (items: INodeExecutionData[]) => void | Promise<void>;
}

/**
 * Listens on a free port of the loopback and runs the trigger's `webhook` for each delivery. Reads
 * the workflow for each request, with its static data from the request before.
 */
export async function serveWebhook(
  engine: Host,
  trigger: EngineNode,
  {
    mode = 'webhook',
    database = { staticData: '{}' },
    webhookUrl,
    onExecution,
  }: WebhookOptions = {},
): Promise<WebhookServer> {
  const executions: INodeExecutionData[][] = [];
  const failures: Error[] = [];

  async function handle(request: express.Request, response: express.Response): Promise<void> {
    addReader(request);
    if (!(await readAhead(request))) {
      response.status(422).json({ message: 'Failed to parse request body' });
      return;
    }
    const staticData = JSON.parse(database.staticData) as IDataObject;
    const workflow = engine.workflow([trigger], staticData);
    const node = firstNode(workflow);
    const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type);
    const description = nodeType.description.webhooks?.[0];
    if (!description) throw new Error('The node has no webhook.');
    const context = new n8nCore.WebhookContext(
      workflow,
      node,
      {
        ...engine.additionalData(mode, workflow),
        webhookBaseUrl: `${webhookUrl?.() ?? `http://127.0.0.1:${port}`}/webhook`,
        httpRequest: request,
        httpResponse: response,
      },
      mode,
      { webhookDescription: description } as never,
      [],
      null,
    );
    const result = await nodeType.webhook
      ?.call(asDeclared<IWebhookFunctions>(context))
      .catch((error: Error) => {
        failures.push(error);
        throw error;
      });
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
  const running = new Set<Promise<void>>();
  app.post('/webhook/:id/webhook', (request, response) => {
    const handled: Promise<void> = handle(request, response)
      .catch((error: Error) => {
        response.status(500).json({ message: error.message });
      })
      .finally(() => running.delete(handled));
    running.add(handled);
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook/1/webhook`,
    executions,
    failures,
    async idle() {
      await Promise.all(running);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type N8nRequest = express.Request & { rawBody?: Buffer; readRawBody?(): Promise<void> };

/** Reads the bytes on request, and rejects, as n8n does. */
function addReader(request: N8nRequest): void {
  request.readRawBody = async () => {
    if (request.rawBody) return;
    if (!request.readable) throw new Error('stream is not readable');
    request.rawBody = await buffer(request);
  };
}

/** Reads forms and JSON before the node runs, as n8n does; false when that fails. */
async function readAhead(request: N8nRequest): Promise<boolean> {
  const { 'content-type': type = '' } = request.headers;
  if (type.startsWith('multipart/form-data')) {
    await new Promise((resolve) => request.on('close', resolve).resume().on('end', resolve));
    return true;
  }
  if (!type.startsWith('application/json')) return true;
  try {
    await request.readRawBody?.();
    request.body = JSON.parse(request.rawBody?.toString('utf8') || '{}');
    return true;
  } catch {
    return false;
  }
}
