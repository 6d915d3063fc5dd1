import type { SubscriptionRecord } from '@screen-advertising/relay';
import type { INodeParameters } from 'n8n-workflow';
import type { Running } from '../relay/support/running-relay.ts';
import { closeAfterTest } from '../support/closing.ts';
import { Engine } from './engine.ts';
import type { EngineNode, Time } from './n8n.ts';
import { createMain, type Main } from './publishing.ts';
import { type Database, serveWebhook, type WebhookServer } from './webhook-server.ts';

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
