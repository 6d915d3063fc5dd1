import type { EventName } from '@screen-advertising/core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Engine, type EngineNode, type WorkflowResult } from '../n8n/engine/engine.ts';
import { startType } from '../n8n/engine/node-types.ts';
import { serveWebhook, type WebhookServer } from '../n8n/engine/webhook-server.ts';
import { type OpenPlatform, startedBy, type Waiting, wording } from './automation.ts';

const action = 'screenAdvertising';

const lookUp: EngineNode = {
  name: 'Look Up User',
  type: action,
  parameters: {
    resource: 'user',
    operation: 'lookUp',
    lookUpBy: 'email',
    email: '={{ $json.data.email }}',
  },
};

const create: EngineNode = {
  name: 'Create Coupon',
  type: action,
  parameters: {
    resource: 'coupon',
    operation: 'create',
    discount_type: wording.discount_type,
    discount_value: wording.discount_value,
    lead_email: "={{ $('Rejected').item.json.data.email }}",
    additionalFields: { code: wording.code },
  },
};

const link: EngineNode = {
  name: 'Create Landing Link',
  type: action,
  parameters: {
    resource: 'landingLink',
    operation: 'create',
    specifyFields: 'fields',
    fields: { field: [{ name: 'utm_campaign', value: wording.utm_campaign }] },
  },
};

/** The automation as two workflows on n8n's own engine. */
export const openN8n: OpenPlatform = async (baseUrl, access) => {
  const { apiKey, signingSecret } = access;
  const engine = await Engine.start({
    screenAdvertisingApi: { baseUrl, apiKey },
    screenAdvertisingWebhookApi: { signingSecret },
  });
  const servers: WebhookServer[] = [];

  /** A workflow that a trigger starts; its first node passes on the trigger's output. */
  async function on<Result>(
    event: EventName,
    nodes: readonly EngineNode[],
    read: (event: unknown, run: WorkflowResult) => Result,
  ): Promise<Waiting<Result>> {
    const done = Promise.withResolvers<Result>();
    const trigger = {
      type: 'screenAdvertisingTrigger',
      parameters: { delivery: 'direct', events: [event] },
    };
    const server = await serveWebhook(engine, trigger, {
      onExecution: (items) => {
        runOn(items, nodes).then((run) => done.resolve(read(items[0]?.json, run)), done.reject);
      },
    });
    servers.push(server);
    return { url: server.url, result: done.promise };
  }

  async function runOn(
    items: readonly INodeExecutionData[],
    nodes: readonly EngineNode[],
  ): Promise<WorkflowResult> {
    const started = { name: 'Rejected', type: startType, parameters: {} };
    const run = await engine.runWorkflow([started, ...nodes], {
      items: items.map(({ json }) => json),
    });
    if (run.error) throw run.error;
    return run;
  }

  const first = (run: WorkflowResult, { name = '' }: EngineNode): IDataObject | undefined =>
    run.output(name)[0]?.json;

  return {
    name: 'n8n',
    afterRejection: () =>
      on(startedBy.rejection, [lookUp, create], (event, run) => ({
        event,
        user: first(run, lookUp),
        coupon: first(run, create),
      })),
    afterRedemption: () =>
      on(startedBy.redemption, [link], (event, run) => ({ event, link: first(run, link) })),
    async close() {
      for (const server of servers) await server.close();
    },
  };
};
