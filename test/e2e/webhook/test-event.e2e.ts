import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { signWebhook } from '@screen-advertising/core';
import { createRelay, type Relay } from '@screen-advertising/relay';
import type { Credential, Workflow } from '../support/n8n-api.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { waitFor } from '../support/wait.ts';

const secret = 'signing-secret-of-the-service';
const event = { id: 'evt_stored', type: 'coupon.redeemed', data: { code: 'SPRING-25' } };
const withinMs = 120_000;

interface Waiting {
  readonly executionId?: string;
  readonly waitingForWebhook?: boolean;
}

describe('listening for a test event in a real n8n', { timeout: 600_000 }, () => {
  let world: World;
  let folder: string;
  let relay: Relay;
  let url: string;
  let credential: Credential;

  before(
    async () => {
      world = await openWorld();
      folder = await mkdtemp(path.join(tmpdir(), 'test-event-'));
      relay = await createRelay({ dataDir: folder, allowTargets: ['127.0.0.1'] });
      await relay.sources.add('main', secret);
      const { connectorKey } = await relay.tokens.create('main', 'n8n');
      ({ url } = await relay.listen());
      credential = await world.api.createCredential('Relay', 'screenAdvertisingRelayApi', {
        baseUrl: url,
        connectorKey,
      });
    },
    { timeout: 1_200_000 },
  );

  after(async () => {
    await world?.close();
    await relay?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('says that it listens, then starts with a sample, and leaves no subscription', async () => {
    const { item, started } = await listen();
    assert.equal(started.waitingForWebhook, true);
    assert.equal(item.isSample, true);
    assert.equal(item.type, event.type);
  });

  it('starts with the newest stored event', async () => {
    const body = JSON.stringify(event);
    const signature = signWebhook({ body, secret, timestamp: Math.floor(Date.now() / 1000) });
    await fetch(`${url}/in/main`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': signature },
      body,
    });
    const { item } = await listen();
    assert.deepEqual(item, { ...event, timestamp: item.timestamp });
  });

  /** What the button "Execute step" does, and what the trigger gave. */
  async function listen(): Promise<{ started: Waiting; item: Record<string, unknown> }> {
    const workflow = await world.api.createWorkflow({
      name: `Listening ${randomUUID()}`,
      settings: {},
      connections: {},
      nodes: [
        {
          id: 'trigger',
          name: 'Event',
          type: 'n8n-nodes-screen-advertising.screenAdvertisingTrigger',
          typeVersion: 1.1,
          position: [0, 0],
          webhookId: randomUUID(),
          parameters: { delivery: 'relay', events: [event.type] },
          credentials: { screenAdvertisingRelayApi: { id: credential.id, name: credential.name } },
        },
      ],
    });
    const started = await world.api.rest<Waiting>('POST', `/workflows/${workflow.id}/run`, {
      triggerToStartFrom: { name: 'Event' },
    });
    const item = await waitFor({ what: 'the execution', withinMs }, () => itemOf(workflow));
    await waitFor({ what: 'the subscription to end', withinMs }, async () => {
      return (await relay.subscriptions.list()).data.length === 0;
    });
    return { started, item };
  }

  async function itemOf({ id }: Workflow): Promise<Record<string, unknown> | undefined> {
    const [done] = await world.api.executions({ workflowId: id, status: 'success' });
    if (!done) return undefined;
    const { data } = await world.api.execution(done.id);
    const result = data?.resultData as
      | { runData: Record<string, [{ data: { main: [[{ json: Record<string, unknown> }]] } }]> }
      | undefined;
    return result?.runData.Event?.[0].data.main[0][0].json;
  }
});
