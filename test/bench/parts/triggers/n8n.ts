import { Engine, type RunOptions } from '../../../n8n/engine/engine.ts';
import { serveWebhook } from '../../../n8n/engine/webhook-server.ts';
import { subscriber, type } from './subscriber.ts';

/** A published workflow. It counts as started when the engine has run its trigger. */
subscriber(async (setup, started) => {
  const isRelayed = 'connectorKey' in setup;
  const engine = await Engine.start(
    isRelayed
      ? {
          screenAdvertisingRelayApi: {
            baseUrl: setup.relayUrl,
            connectorKey: setup.connectorKey,
          },
        }
      : { screenAdvertisingWebhookApi: { signingSecret: setup.signingSecret } },
  );
  const trigger = {
    name: 'Event',
    type: 'screenAdvertisingTrigger',
    parameters: { delivery: isRelayed ? 'relay' : 'direct', events: [type] },
  };
  const start = async (options: RunOptions): Promise<void> => {
    const run = await engine.runWorkflow([trigger], { ...options, mode: 'webhook' });
    if (run.error) throw run.error;
    for (const { json } of run.output(trigger.name)) started(json);
  };
  const { url } = await serveWebhook(engine, trigger, {
    // n8n responds before the execution ends.
    onExecution: (items) => void start({ items: items.map(({ json }) => json) }),
  });
  return url;
});
