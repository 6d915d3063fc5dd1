import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signWebhook } from '@screen-advertising/core';
import type { SignatureScheme } from '@screen-advertising/core/webhooks';
import type { SubscriptionRecord } from '@screen-advertising/relay';
import express from 'express';
import type {
  IDataObject,
  IHookFunctions,
  INodeExecutionData,
  INodeParameters,
  IWebhookDescription,
  IWebhookFunctions,
  Workflow,
  WorkflowActivateMode,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Running } from '../relay/support/running-relay.ts';
import { closeAfterTest } from '../support/closing.ts';
import { watch } from '../taint/watch.ts';
import { asDeclared, n8nCore, type Time } from './engine/n8n.ts';
import { Engine, type EngineNode, firstNode, type StoredCredentials } from './world.ts';

const secret = 'current-secret';
const credentials = {
  screenAdvertisingWebhookApi: { signingSecret: secret, previousSigningSecret: 'previous-secret' },
};

export const event = {
  id: 'evt_1',
  type: 'coupon.redeemed',
  data: { code: 'SPRING-25', lead_email: 'lead@example.com' },
};

interface PublishOptions extends WebhookOptions {
  stored?: StoredCredentials;
  /** Identifies the trigger; by default each of these tests has a separate one. */
  trigger?: string;
  /**
   * Default: 1.1, from before the relay existed, which does not state that it receives directly.
   */
  typeVersion?: number;
  /** The process that serves it; default: a separate one. */
  engine?: Engine;
}

/** The body to deliver; default: `event`, signed just now with the current secret. */
export interface Post {
  body?: string | Buffer;
  secret?: string;
  /** Age of the signature in seconds. */
  age?: number;
  scheme?: SignatureScheme;
  headers?: Record<string, string | undefined>;
}

/** Triggers that n8n serves until a test ends, and the service that delivers to them. */
export class WebhookBench {
  #triggers = 0;
  #server: WebhookServer | undefined;

  /** The trigger of this test. */
  get server(): WebhookServer {
    if (!this.#server) throw new Error('No trigger is served outside of a test.');
    return this.#server;
  }

  nextTrigger(): string {
    this.#triggers += 1;
    return `trigger-${this.#triggers}`;
  }

  /** Serves another trigger, or the same one in another process. */
  async publish(
    parameters: INodeParameters = {},
    {
      stored = credentials,
      trigger = this.nextTrigger(),
      typeVersion = 1.1,
      engine,
      ...options
    }: PublishOptions = {},
  ): Promise<WebhookServer> {
    // An engine loads its own copy of the package, as a process of n8n does.
    const opened = await serveWebhook(
      engine ?? (await Engine.start(stored)),
      {
        id: trigger,
        type: 'screenAdvertisingTrigger',
        typeVersion,
        parameters: { events: [event.type], ...parameters },
      },
      options,
    );
    closeAfterTest(() => opened.close());
    return opened;
  }

  /** Serves the trigger of a test, which calls this before. */
  async begin(): Promise<void> {
    this.#server = await this.publish();
  }

  /** The header that the service signs a body with. */
  signed(body: string | Buffer, how: Partial<Post> = {}): { 'x-service-signature': string } {
    const { age = 0, ...more } = how;
    const timestamp = Math.floor(Date.now() / 1000) - age;
    return { 'x-service-signature': signWebhook({ secret, ...more, body, timestamp }) };
  }

  async deliver(post: Post = {}, to = this.server): Promise<Response> {
    const { body = JSON.stringify(event), headers = {}, ...how } = post;
    const sent = {
      'content-type': 'application/json',
      ...this.signed(body, how),
      ...headers,
    };
    const given = Object.entries(sent).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    return await fetch(to.url, {
      method: 'POST',
      body: bytes,
      headers: Object.fromEntries(given),
    });
  }
}

/** A workflow that an event of the relay starts, on a separate n8n. */
export interface RelayWorkflow {
  readonly n8n: Main;
  /** Another main process of the same n8n. */
  secondMain(): Promise<Main>;
  readonly database: Database;
  /** Where n8n serves the workflow, and where it listens for test events. */
  readonly server: WebhookServer;
  readonly editor: WebhookServer;
  readonly engine: Engine;
  /** What the editor can change: the node, and `WEBHOOK_URL`. */
  parameters: INodeParameters;
  name: string;
  webhookUrl: string;
}

interface WorkflowOptions {
  readonly events?: readonly string[];
  /** Part of the webhook URL, as n8n assigns it to each node. */
  readonly webhookId?: string;
  /** Static data that an import contains. */
  readonly staticData?: string;
  readonly identity?: { readonly id: string; readonly name: string };
  /** The time on n8n's machine, if it differs from the relay's. */
  readonly date?: () => number;
  /** Where n8n says that it listens for test events, if not at `editor`. */
  readonly testUrl?: string;
  /** The credential's values, if they differ from those of the relay. */
  readonly credential?: { readonly baseUrl?: string; readonly connectorKey?: string };
}

/** The relay's time. A pause passes at once; a wait longer than any pause never ends. */
function timeOf({ relay }: Running, { date = () => relay.clock.now() }: WorkflowOptions): Time {
  return {
    now: () => relay.clock.now(),
    date,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (ms < 10_000) setImmediate(resolve);
      }),
  };
}

/** Stopped after the test. */
export async function openWorkflow(
  running: Running,
  options: WorkflowOptions = {},
): Promise<RelayWorkflow> {
  const { events = ['coupon.redeemed'], webhookId = '1', staticData = '{}', identity } = options;
  const screenAdvertisingRelayApi = {
    baseUrl: running.url,
    connectorKey: running.key.connectorKey,
    ...options.credential,
  };
  const start = () => Engine.start({ screenAdvertisingRelayApi }, timeOf(running, options));
  const engine = await start();
  const database = { staticData };
  const trigger: EngineNode = {
    id: `node-${webhookId}`,
    webhookId,
    type: 'screenAdvertisingTrigger',
    get parameters() {
      return workflow.parameters;
    },
    get name() {
      return workflow.name;
    },
  };
  const server = await serveWebhook(engine, trigger, {
    database,
    webhookUrl: () => workflow.webhookUrl,
  });
  const editor = await serveWebhook(engine, trigger, { mode: 'manual' });
  closeAfterTest(() => Promise.all([server.close(), editor.close()]));
  const main = (of: Engine) =>
    createMain(of, trigger, {
      database,
      webhookUrl: () => workflow.webhookUrl,
      testUrl: () => options.testUrl ?? new URL(editor.url).origin,
      ...(identity && { identity }),
    });
  const workflow: RelayWorkflow = {
    n8n: main(engine),
    secondMain: async () => main(await start()),
    database,
    server,
    editor,
    engine,
    parameters: { delivery: 'relay', events: [...events] },
    name: 'Screen Advertising Trigger',
    webhookUrl: new URL(server.url).origin,
  };
  return workflow;
}

/** The subscriptions that the relay delivers to. */
export async function live({ relay, source }: Running): Promise<SubscriptionRecord[]> {
  const { data } = await relay.operate('subscriptions.list', { source });
  return data.filter(({ state }) => state === 'active');
}

let count = 0;

/** The service fires an event; resolves once the relay has delivered it to all subscribers. */
export async function fire(
  running: Running,
  type = 'coupon.redeemed',
  event: Record<string, unknown> = { id: `evt_${++count}`, type, data: { code: 'SPRING-25' } },
): Promise<Record<string, unknown>> {
  const { status } = await running.deliver(event);
  if (status >= 300) throw new Error(`The relay did not take the event (status ${status}).`);
  await running.relay.clock.advance(1);
  return event;
}

/** The IDs of the events that started the workflow, in order. */
export function started({ executions }: WebhookServer): unknown[] {
  return executions.map(([item]) => item?.json.id);
}

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

interface WebhookOptions {
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
  engine: Engine,
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

/** n8n gives up a workflow for good at its start when an error's message holds this. */
export const wordThatEndsRetries = 'Authorization';

/** One of n8n's main processes, reduced to publishing a workflow with a webhook trigger. */
interface Main {
  /**
   * As when a user publishes, or when n8n starts (`init`). Rejects with the error that n8n shows.
   */
  publish(activation?: WorkflowActivateMode): Promise<void>;
  /** Never rejects: n8n only logs what fails. */
  unpublish(): Promise<void>;
  /** n8n is killed once the webhooks are registered, before it saves static data. */
  killedWhilePublishing(activation?: WorkflowActivateMode): Promise<void>;
  /** A user listens for a test event, until the returned function is called. */
  listen(): Promise<() => Promise<void>>;
}

interface MainOptions {
  /** Where static data is stored; shared by the main processes of one n8n. */
  readonly database: Database;
  /** `WEBHOOK_URL`, read each time. */
  readonly webhookUrl: () => string;
  /** The same for test events; default: `webhookUrl`. */
  readonly testUrl?: () => string;
  /** ID of the workflow; a copy has a different one. */
  readonly identity?: { readonly id: string; readonly name: string };
}

type Method = 'checkExists' | 'create' | 'delete';
type Modes = readonly [mode: WorkflowExecuteMode, activation: WorkflowActivateMode];

/**
 * Runs the trigger's `webhookMethods` in the order of n8n 2.40 and with the same static data. n8n
 * saves what publishing changed after all webhooks are registered; if that fails, it deletes them
 * with the data saved before. Each test has separate static data.
 */
export function createMain(engine: Engine, trigger: EngineNode, options: MainOptions): Main {
  const { database, webhookUrl, testUrl = webhookUrl, identity } = options;

  async function run(
    workflow: Workflow,
    method: Method,
    [mode, activation]: Modes,
    isTest = false,
  ) {
    const node = firstNode(workflow);
    const { description, webhookMethods } = workflow.nodeTypes.getByNameAndVersion(
      node.type,
      node.typeVersion,
    ) as { description: { webhooks?: IWebhookDescription[] }; webhookMethods?: Methods };
    const context = new n8nCore.HookContext(
      workflow,
      node,
      {
        ...engine.additionalData(mode, workflow),
        webhookBaseUrl: `${webhookUrl()}/webhook`,
        webhookTestBaseUrl: `${testUrl()}/webhook`,
      },
      mode,
      activation,
      { webhookDescription: description.webhooks?.[0], isTest } as never,
    );
    return await webhookMethods?.default?.[method]?.call(asDeclared<IHookFunctions>(context));
  }

  async function add(workflow: Workflow, modes: Modes, isTest = false): Promise<void> {
    if (!(await run(workflow, 'checkExists', modes, isTest))) {
      await run(workflow, 'create', modes, isTest);
    }
  }

  function load(staticData: string): Workflow {
    const workflow = engine.workflow([trigger], JSON.parse(staticData) as IDataObject);
    return Object.assign(workflow, identity);
  }

  function save(workflow: Workflow): void {
    if (workflow.staticData.__dataChanged !== true) return;
    watch.data("n8n's static data", workflow.staticData);
    database.staticData = JSON.stringify(workflow.staticData);
  }

  async function clear(): Promise<void> {
    const workflow = load(database.staticData);
    await run(workflow, 'delete', ['internal', 'update']);
    save(workflow);
  }

  async function publish(activation: WorkflowActivateMode): Promise<Workflow> {
    const workflow = load(database.staticData);
    try {
      await add(workflow, ['trigger', activation]);
    } catch (error) {
      watch.failure("n8n's error", error);
      await clear();
      throw error;
    }
    return workflow;
  }

  return {
    publish: async (activation = 'activate') => save(await publish(activation)),
    unpublish: clear,
    killedWhilePublishing: async (activation = 'activate') => {
      await publish(activation);
    },
    async listen() {
      const workflow = load('{}');
      const stop = async () => {
        await run(workflow, 'delete', ['internal', 'update'], true);
      };
      try {
        await add(workflow, ['manual', 'manual'], true);
      } catch (error) {
        await stop();
        throw error;
      }
      return stop;
    },
  };
}

type Methods = Record<string, Record<Method, (this: IHookFunctions) => Promise<boolean>>>;
