import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { signWebhook } from '@screen-advertising/core';
import type { Relay } from '@screen-advertising/relay';
import { createSandbox } from '@screen-advertising/sandbox';
import { type RawRequest, sendRaw } from '../../support/raw-request.ts';
import { openRelayWorld, type RelayWorld } from '../relay/open-relay.ts';
import { walkSetUp } from '../relay/walk-set-up.ts';
import { openChromium } from '../support/chromium.ts';
import { type Collector, openCollector } from '../support/collector.ts';
import type { Credentials } from '../support/n8n-api.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { fits } from '../support/page-checks.ts';
import { webhookUrl } from '../support/set-up.ts';
import { phone } from '../support/use-page.ts';
import { waitFor } from '../support/wait.ts';
import { collecting, instantWorkflow } from '../support/workflows.ts';
import { hostileRequests, refusedByN8n, signedRequests } from './hostile-requests.ts';

const withinMs = 300_000;

describe('workflows on a real n8n', { timeout: 1_200_000 }, () => {
  let world: World;
  let relays: RelayWorld;
  let relay: Relay;
  let relayUrl: string;
  let collector: Collector;

  before(async () => {
    world = await openWorld();
    relays = await openRelayWorld();
  }, installing);

  beforeEach(async () => {
    collector?.close();
    collector = await openCollector();
  });

  after(async () => {
    collector?.close();
    await world?.close();
    await relays?.close();
  });

  async function openRelay(): Promise<void> {
    ({ relay, url: relayUrl } = await relays.openEmpty());
  }

  const relayCredential = (connectorKey: string) =>
    world.api.createCredential('Relay', 'screenAdvertisingRelayApi', {
      baseUrl: relayUrl,
      connectorKey,
    });

  /** A published workflow that sends each event to the collector. */
  async function collect(credentials: Credentials = world.credentials) {
    const workflow = await world.api.createWorkflow(collecting(credentials, collector.url));
    const url = webhookUrl(world.api.url, workflow);
    await world.api.publish(workflow, url);
    return { url, executions: () => world.api.executions({ workflowId: workflow.id }) };
  }

  it('remembers every event: one that is delivered again is acknowledged and starts nothing', async () => {
    const { sandbox } = world;
    const { url, executions } = await collect();
    const { id } = sandbox.webhooks.add({ url });
    const fired = [];
    for (const event of ['campaign.paid', 'user.registered', 'campaign.paid'] as const) {
      fired.push(...(await sandbox.fire(event)));
    }
    sandbox.webhooks.remove(id);
    const again = await Promise.all(
      fired.map((delivery) => sandbox.deliveries.redeliver(delivery.id)),
    );
    // A process that received them only moments ago would respond with 503.
    assert.deepEqual(
      again.map(({ attempts }) => attempts.at(-1)?.status),
      [200, 200, 200],
    );
    await waitFor({ what: 'the executions', withinMs }, () => collector.effects.size === 3);
    assert.equal((await executions()).length, 3);
  });

  it('start with events signed over the body alone, with SHA-512 and a secret in base64, directly and through a relay that is set up in its page by keyboard, on a phone', async (t) => {
    const { api } = world;
    // On a frozen clock nothing is sent again.
    const variants = { signatureScheme: 'sha512,body,base64' } as const;
    const sandbox = createSandbox({ clock: 'frozen', variants });
    await sandbox.listen();
    t.after(() => sandbox.close());
    const [{ signingSecret }] = sandbox.accesses;
    const secret = await api.createCredential('Body alone', 'screenAdvertisingWebhookApi', {
      signingSecret,
    });
    await openRelay();
    const browser = await openChromium();
    t.after(() => browser.close());
    const page = await browser.context.newPage();
    await page.setViewportSize(phone);
    const walk = walkSetUp(page);
    await walk.signIn(await relay.signInLink(relayUrl));
    await walk.failToFillIn('Name', 'My Access');
    await fits(page);
    await page.goto(`${relayUrl}/operator/set-up`);
    await walk.fillIn('Name', 'main');
    await walk.isDone('Name the source');
    await page.getByText(`${relayUrl}/in/main`).waitFor();
    // A wrong secret, then away and back.
    await walk.enterSecret('not-the-secret');
    await walk.isDone('Paste the signing secret');
    const { id } = sandbox.webhooks.add({ url: `${relayUrl}/in/main` });
    await sandbox.fire('user.registered');
    sandbox.webhooks.remove(id);
    await page.goto(relayUrl);
    await page.goto(`${relayUrl}/operator/set-up`);
    await page.getByText('Waiting for the first event.').waitFor();
    await walk.unfold('Replace the signing secret');
    await walk.enterSecret(signingSecret);
    await page.getByText('Signing secret saved.').waitFor();
    sandbox.webhooks.add({ url: `${relayUrl}/in/main` });
    sandbox.webhooks.add({ url: (await collect({ [secret.type]: secret })).url });
    const credential = await relayCredential(await walk.createKey());
    const relayed = await api.createWorkflow(
      instantWorkflow({
        name: 'Relayed',
        events: ['campaign.paid'],
        credential,
        collector: collector.url,
      }),
    );
    await api.publish(relayed, webhookUrl(api.url, relayed));
    await walk.isDone('Connect n8n or Zapier');

    const deliveries = await sandbox.fire('campaign.paid');
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      ['delivered', 'delivered'],
    );
    await walk.openFirstEvent('campaign.paid');
    const [{ eventId } = { eventId: '' }] = deliveries;
    await waitFor({ what: 'both executions', withinMs }, () => collector.effects.size === 2);
    assert.deepEqual(
      [...collector.effects.keys()].sort(),
      [eventId, `${eventId} ${relayed.id}`].sort(),
    );
  });

  describe('the address of a trigger', () => {
    it('responds to strangers with 4xx whatever they send, and starts nothing', async () => {
      const { url, executions } = await collect();
      assert.ok(hostileRequests.length >= 35, `${hostileRequests.length} requests`);
      const answers = await sendAll(url, hostileRequests);
      assert.deepEqual(
        answers.filter(({ status }) => status === undefined || status < 400 || status > 499),
        [],
      );
      // n8n itself cannot read these, and responds before it calls the node.
      const refused = await sendAll(url, refusedByN8n);
      assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([500]));
      assert.deepEqual(await executions(), []);
    });

    it('starts an execution for each of them that can be read and is signed', async () => {
      const { url, executions } = await collect();
      const [{ signingSecret }] = world.sandbox.accesses;
      const requests = signedRequests((body) => sign(body, signingSecret));
      const answers = await sendAll(url, requests);
      assert.deepEqual(
        answers.filter(({ status }) => status !== 200),
        [],
      );
      await waitFor(
        { what: 'the executions', withinMs },
        () => collector.effects.size === requests.length,
      );
      // n8n lists an execution a moment after its last effect.
      await waitFor({ what: 'the list of executions', withinMs }, async () => {
        return (await executions()).length >= requests.length;
      });
      assert.equal((await executions()).length, requests.length);
    });

    async function sendAll(url: string, requests: readonly RawRequest[]) {
      const answers = [];
      for (const request of requests) {
        answers.push({ name: request.name, status: await sendRaw(url, request) });
      }
      return answers;
    }
  });
});

const sign = (body: string, secret: string) =>
  signWebhook({ body, secret, timestamp: Math.floor(Date.now() / 1000) });
