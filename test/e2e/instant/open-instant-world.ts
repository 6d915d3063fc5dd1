import { createSandbox } from '@screen-advertising/sandbox';
import { openCollector } from '../support/collector.ts';
import { N8nApi } from '../support/n8n-api.ts';
import { say } from '../support/progress.ts';
import { openQueueMode } from '../support/queue-mode.ts';
import { openInstantRelay } from './instant-relay.ts';

/** n8n in queue mode, the relay before it, and the sandbox that delivers to the relay. */
export async function openInstantWorld() {
  const n8n = await openQueueMode('main', 'worker');
  try {
    const sandbox = createSandbox({ clock: 'frozen' });
    n8n.closes(() => sandbox.close());
    const relay = await openInstantRelay({ postgres: n8n.postgres, sandbox });
    n8n.closes(() => relay.close());
    const collector = await openCollector();
    n8n.closes(() => collector.close());
    const own = `http://127.0.0.1:${n8n.portOf('main')}`;
    const address = { WEBHOOK_URL: `${own}/` };
    say('Starting n8n: a main process, then a worker');
    await n8n.start('main', address);
    const api = new N8nApi(own);
    await api.signIn();
    const access = { baseUrl: relay.url, connectorKey: relay.connectorKey };
    const [credential] = await Promise.all([
      api.createCredential('Relay', 'screenAdvertisingRelayApi', access),
      n8n.start('worker', address),
    ]);
    return {
      ...n8n,
      api,
      sandbox,
      relay,
      credential,
      collector,
    };
  } catch (error) {
    await n8n.close();
    throw error;
  }
}
