import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createRelay, type Relay } from '@screen-advertising/relay';
import { instantWorkflow } from '../instant/instant-workflow.ts';
import { type Collector, openCollector } from '../support/collector.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { webhookUrl } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { collecting } from '../support/workflows.ts';

const type = 'campaign.paid';
const withinMs = 120_000;

describe('a service that signs the body alone, with SHA-512 and a secret in base64', () => {
  let world: World;
  let collector: Collector;
  let folder: string;
  let relay: Relay;

  before(async () => {
    world = await openWorld({ variants: { signatureScheme: 'sha512,body,base64' } });
    collector = await openCollector();
    folder = await mkdtemp(path.join(tmpdir(), 'scheme-'));
    relay = await createRelay({ dataDir: folder, allowTargets: ['127.0.0.1'] });
  }, installing);

  after(async () => {
    collector?.close();
    await world?.close();
    await relay?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('starts workflows directly and through a relay, without a setting', async () => {
    const { api, credentials, sandbox } = world;
    const direct = await api.createWorkflow(collecting(credentials, collector.url));
    const url = webhookUrl(api.url, direct);
    await api.publish(direct, url);
    sandbox.webhooks.add({ url });

    const [{ signingSecret }] = sandbox.accesses;
    await relay.sources.add('main', signingSecret);
    const { connectorKey } = await relay.tokens.create('main', 'n8n');
    const { url: baseUrl } = await relay.listen();
    sandbox.webhooks.add({ url: `${baseUrl}/in/main` });
    const data = { baseUrl, connectorKey };
    const credential = await api.createCredential('Relay', 'screenAdvertisingRelayApi', data);
    const relayed = await api.createWorkflow(
      instantWorkflow({ name: 'Relayed', events: [type], credential, collector: collector.url }),
    );
    await api.publish(relayed, webhookUrl(api.url, relayed));
    await waitFor({ what: 'the subscription', withinMs }, async () => {
      const { data: subscriptions } = await relay.subscriptions.list();
      return subscriptions.some(({ state }) => state === 'active');
    });

    const deliveries = await sandbox.fire(type);
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      ['delivered', 'delivered'],
    );
    const [{ eventId } = { eventId: '' }] = deliveries;
    const expected = [eventId, `${eventId} ${relayed.id}`].sort();
    await waitFor({ what: 'both executions', withinMs }, () => collector.effects.size === 2);
    assert.deepEqual([...collector.effects.keys()].sort(), expected);
    const [source] = await relay.sources.list();
    assert.deepEqual(source?.scheme, {
      algorithm: 'sha512',
      signed_content: '{body}',
      key: 'base64',
    });
  });
});
