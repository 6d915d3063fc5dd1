import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import { type EventName, signWebhook } from '@screen-advertising/core';
import type { Relay } from '@screen-advertising/relay';
import { createSandbox } from '@screen-advertising/sandbox';
import { freePort } from '../../support/free-port.ts';
import { type RawRequest, sendRaw } from '../../support/raw-request.ts';
import { openRelayWorld, type RelayWorld } from '../relay/open-relay.ts';
import { walkSetUp } from '../relay/walk-set-up.ts';
import { openChromium } from '../support/chromium.ts';
import { type Collector, openCollector } from '../support/collector.ts';
import type { Credential, Workflow } from '../support/n8n-api.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { fits } from '../support/page-checks.ts';
import { webhookUrl } from '../support/set-up.ts';
import { phone } from '../support/use-page.ts';
import { waitFor } from '../support/wait.ts';
import { collect, collecting, inLine, trigger } from '../support/workflows.ts';

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

  const relayCredential = (connectorKey: string, baseUrl = relayUrl) =>
    world.api.createCredential('Relay', 'screenAdvertisingRelayApi', { baseUrl, connectorKey });

  /** A published workflow that sends each event to the collector. */
  async function openCollecting(credential = world.credentials.screenAdvertisingWebhookApi) {
    const workflow = await world.api.createWorkflow(collecting(credential, collector.url));
    const url = webhookUrl(world.api.url, workflow);
    await world.api.publish(workflow, url);
    return { url, executions: () => world.api.executions({ workflowId: workflow.id }) };
  }

  /** Its executions show in the collector, by event and workflow. */
  const createRelayed = (credential: Credential, events: readonly EventName[]) =>
    world.api.createWorkflow(
      inLine(
        'Relayed',
        trigger(credential, events),
        collect(collector.url, '$json.id + " " + $workflow.id'),
      ),
    );

  it('remembers every event: one that is delivered again is acknowledged and starts nothing', async () => {
    const { sandbox } = world;
    const { url, executions } = await openCollecting();
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
    sandbox.webhooks.add({ url: (await openCollecting(secret)).url });
    const credential = await relayCredential(await walk.createKey());
    const relayed = await createRelayed(credential, ['campaign.paid']);
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

  describe('that start through a relay', () => {
    const [paid, redeemed] = ['campaign.paid', 'coupon.redeemed'] as const;
    type Published = readonly [workflow: Workflow, ...events: readonly EventName[]];
    /** Each event that has to start a workflow, with the workflow. */
    let expected: string[];

    /** A credential of a relay that the service delivers to, at the relay's own address or another. */
    async function connect(baseUrl?: string): Promise<Credential> {
      expected = [];
      await openRelay();
      const [{ signingSecret }] = world.sandbox.accesses;
      await relay.sources.add('main', signingSecret);
      world.sandbox.reset();
      world.sandbox.webhooks.add({ url: `${relayUrl}/in/main` });
      const { connectorKey } = await relay.tokens.create('main', 'n8n');
      return await relayCredential(connectorKey, baseUrl);
    }

    async function live(): Promise<string[]> {
      const { data } = await relay.operate('subscriptions.list', { limit: 200 });
      const active = data.filter(({ state }) => state === 'active');
      return active.map(({ target_url, events }) => `${target_url} ${events}`).sort();
    }

    /** One live subscription for each of these, and an event starts each of them once. */
    async function settled(...published: readonly Published[]): Promise<void> {
      const wanted = published.map(
        ([workflow, ...events]) => `${webhookUrl(world.api.url, workflow)} ${events}`,
      );
      await waitFor({ what: `the subscriptions ${wanted}`, withinMs }, async () =>
        isDeepStrictEqual(await live(), wanted.sort()),
      );
      for (const type of [paid, redeemed]) {
        const [{ eventId } = { eventId: '' }] = await world.sandbox.fire(type);
        const started = published.filter(([, ...events]) => events.includes(type));
        expected.push(...started.map(([{ id }]) => `${eventId} ${id}`));
      }
      const { effects } = collector;
      await waitFor({ what: 'the executions', withinMs }, () => effects.size >= expected.length);
      const started = [...effects].flatMap(([key, executions]) => executions.map(() => key));
      assert.deepEqual(started.sort(), expected.sort());
      assert.deepEqual(await live(), wanted);
    }

    it('have one subscription each when they are changed, duplicated and imported, start with what they missed for a moment, and have none when unpublished', async () => {
      const { api } = world;
      const credential = await connect();
      const workflow = await createRelayed(credential, [redeemed]);
      await api.change(workflow.id, () => ({ name: 'Redeemed coupons' }));
      await settled([workflow, redeemed]);
      for (const events of [[paid, redeemed], [paid]]) {
        await api.change(workflow.id, ({ nodes }) => ({
          nodes: nodes.map((node) =>
            node.name === 'Event' ? { ...node, parameters: { ...node.parameters, events } } : node,
          ),
        }));
        await settled([workflow, ...events]);
      }

      const { nodes, connections, settings } = await api.workflow(workflow.id);
      // As n8n's editor duplicates a workflow.
      const others = nodes.map((node) => ({
        ...node,
        ...(node.webhookId && { webhookId: randomUUID() }),
      }));
      const copy = { name: 'Copy', nodes: others, connections, settings };
      const duplicate = await api.createWorkflow(copy);
      await api.change(duplicate.id);
      await settled([workflow, paid], [duplicate, paid]);

      // A file keeps the ID of the webhook, which n8n gives to one workflow at a time.
      const imported = await api.createWorkflow({ ...copy, name: 'Imported', nodes });
      await assert.rejects(api.publish(imported), /webhook|conflict/i);
      await settled([workflow, paid], [duplicate, paid]);

      await api.unpublish(workflow.id);
      await waitFor(
        { what: 'one subscription', withinMs },
        async () => (await live()).length === 1,
      );
      const [{ eventId } = { eventId: '' }] = await world.sandbox.fire(paid);
      expected.push(...[workflow, duplicate].map(({ id }) => `${eventId} ${id}`));
      await api.change(workflow.id);
      await settled([workflow, paid], [duplicate, paid]);

      await api.unpublish(workflow.id);
      await api.change(imported.id);
      await settled([imported, paid], [duplicate, paid]);

      for (const { id } of [imported, duplicate]) await api.unpublish(id);
      await settled();
    });

    it('are subscribed once the relay is back, if they were published while it was down', async () => {
      const port = await freePort();
      const credential = await connect(`http://127.0.0.1:${port}`);
      const workflow = await createRelayed(credential, [redeemed]);
      await world.api.publish(workflow, webhookUrl(world.api.url, workflow));
      await relay.listen(port);
      await settled([workflow, redeemed]);
    });
  });

  describe('the address of a trigger', () => {
    async function sendAll(url: string, requests: readonly RawRequest[]) {
      const answers = [];
      for (const request of requests) {
        answers.push({ name: request.name, status: await sendRaw(url, request) });
      }
      return answers;
    }

    it('responds to strangers with 4xx whatever they send, and starts nothing', async () => {
      const { url, executions } = await openCollecting();
      const answers = await sendAll(url, [...readable.map((of) => of(event)), ...unreadable]);
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
      const { url } = await openCollecting();
      const [{ signingSecret: secret }] = world.sandbox.accesses;
      const requests = readable.map((of, index) => {
        const body = JSON.stringify({ id: `evt_${index}`, type: 'campaign.paid', data: {} });
        const timestamp = Math.floor(Date.now() / 1000);
        const signature = signWebhook({ body, secret, timestamp });
        const request = of(body);
        return { ...request, headers: { ...request.headers, 'x-service-signature': signature } };
      });
      const answers = await sendAll(url, requests);
      assert.deepEqual(
        answers.filter(({ status }) => status !== 200),
        [],
      );
      const { effects } = collector;
      await waitFor({ what: 'the executions', withinMs }, () => effects.size === requests.length);
      assert.deepEqual(
        [...effects.values()].map((started) => started.length),
        requests.map(() => 1),
      );
    });
  });
});

const event = '{"id":"evt_stranger","type":"campaign.paid","data":{}}';
const form = '--b\r\ncontent-disposition: form-data; name="id"\r\n\r\n1\r\n--b--\r\n';
/** n8n accepts 16 MB by default. */
const tooLarge = 17 * 1024 * 1024;

const json = { 'content-type': 'application/json' };
const bytes = { 'content-type': 'application/octet-stream' };
const parts = { 'content-type': 'multipart/form-data; boundary=b' };
const inGzip = { 'content-encoding': 'gzip' };
const inDeflate = { 'content-encoding': 'deflate' };

/** Unusual, but a trigger can read it: with a signature each of them starts an execution. */
const readable: readonly ((body: string) => RawRequest)[] = [
  (body) => ({ name: 'no content type', body }),
  (body) => ({ name: 'no type', headers: { 'content-type': 'not a type' }, body }),
  (body) => ({ name: 'text', headers: { 'content-type': 'text/plain' }, body }),
  (body) => ({ name: 'JSON in gzip', headers: { ...json, ...inGzip }, body: gzipSync(body) }),
  (body) => ({ name: 'JSON in chunks', headers: json, body, chunked: true }),
  (body) => ({ name: 'in gzip', headers: { ...bytes, ...inGzip }, body: gzipSync(body) }),
  (body) => ({ name: 'in deflate', headers: { ...bytes, ...inDeflate }, body: deflateSync(body) }),
  (body) => ({ name: 'slow', headers: bytes, body, pieces: 5 }),
];

/** Says that its body is in gzip, and it is not, or not whole, or it is too much. */
const lying = (headers: { readonly 'content-type': string }): RawRequest[] =>
  Object.entries({
    'no gzip': event,
    'gzip cut off': gzipSync(event).subarray(0, 20),
    '17 MB in gzip': gzipSync(Buffer.alloc(tooLarge, ' ')),
  }).map(([what, body]) => ({
    name: `${headers['content-type']}: ${what}`,
    headers: { ...headers, ...inGzip },
    body,
  }));

const unreadable: readonly RawRequest[] = [
  {
    name: 'UTF-16',
    headers: { 'content-type': 'application/json; charset=utf-16' },
    body: event,
  },
  { name: 'a form', headers: parts, body: form },
  { name: 'a form in chunks', headers: parts, body: form, chunked: true },
  {
    name: 'a form without a boundary',
    headers: { 'content-type': 'multipart/form-data' },
    body: form,
  },
  ...[bytes, parts].flatMap(lying),
  { name: '17 MB', headers: bytes, announces: tooLarge },
  { name: 'nothing', headers: json },
  { name: 'malformed JSON', headers: json, body: '{"id":' },
  { name: 'bytes that are no text', headers: bytes, body: Buffer.from([0, 255, 254, 0, 128]) },
  { name: 'a GET', method: 'GET' },
  { name: 'a PUT', method: 'PUT', headers: json, body: event },
  ...['', 't=1,v1=00', 'x'.repeat(8000)].map((signature) => ({
    name: `signature "${signature.slice(0, 12)}"`,
    headers: { ...json, 'x-service-signature': signature },
    body: event,
  })),
];

/** n8n parses JSON before it calls the node, and responds with 500 when it cannot. */
const refusedByN8n: readonly RawRequest[] = [
  ...lying(json),
  { name: 'JSON of 17 MB', headers: json, announces: tooLarge },
];
