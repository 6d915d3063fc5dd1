import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@screen-advertising/core';
import { createRelay, type NewToken, type Relay, RelayError } from '@screen-advertising/relay';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { OpenPlatform, Platform } from '../platforms/automation.ts';
import { openN8n } from '../platforms/n8n.ts';
import type { ReceivedDelivery } from '../platforms/receiver.ts';
import { openZapier } from '../platforms/zapier.ts';
import { urlOf } from '../support/server-url.ts';
import type { Narrator } from './narrator.ts';

const type = 'coupon.redeemed';
const minute = 60_000;

/** One event through the relay: to both platforms, and to a receiver that is down at first. */
export async function passOn(narrator: Narrator, sandbox: Sandbox, baseUrl: string): Promise<void> {
  narrator.chapter('One event through the relay, to three subscribers');
  const folder = await mkdtemp(join(tmpdir(), 'relay-'));
  const late = await openLateReceiver();
  const relay = await narrator.step(
    'The relay starts',
    () => open(folder),
    (opened) =>
      opened
        ? 'with its own PostgreSQL'
        : 'not here, since no PostgreSQL is installed for this platform',
  );
  try {
    if (relay) await deliverToAll(narrator, sandbox, baseUrl, relay, late);
  } finally {
    late.close();
    await relay?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Its clock is frozen, so hours pass in a moment. */
async function open(dataDir: string): Promise<Relay | undefined> {
  const options = { clock: 'frozen', allowTargets: ['127.0.0.1'], random: () => 0 } as const;
  try {
    return await createRelay({ dataDir, ...options });
  } catch (error) {
    if (error instanceof RelayError && error.code === 'no_postgres') return undefined;
    throw error;
  }
}

async function deliverToAll(
  narrator: Narrator,
  sandbox: Sandbox,
  baseUrl: string,
  relay: Relay,
  late: Late,
): Promise<void> {
  const [access] = sandbox.accesses;
  await relay.sources.add('main', access.signingSecret);
  const { url } = await relay.listen();
  sandbox.reset();
  const webhook = sandbox.webhooks.add({ url: `${url}/in/main` });
  const platforms: Platform[] = [];

  /** Subscribes with a separate key and verifies with that key's secret. */
  const onPlatform = async (title: string, openPlatform: OpenPlatform) => {
    const key = await relay.tokens.create('main', title);
    const platform = await openPlatform(baseUrl, { ...access, signingSecret: key.signingSecret });
    platforms.push(platform);
    const waiting = await platform.afterRedemption();
    await narrator.step(
      `${title} subscribes`,
      () => subscribe(url, key, waiting.url),
      (id) => `${id}, with its own key`,
    );
    return { title, result: waiting.result };
  };

  try {
    const started = [
      await onPlatform("n8n's engine", openN8n),
      await onPlatform("Zapier's platform", openZapier),
    ];
    const key = await relay.tokens.create('main', 'a receiver');
    const subscription = await narrator.step(
      'A receiver that is down subscribes',
      () => subscribe(url, key, late.url),
      (id) => id,
    );
    await narrator.step(
      'A coupon is redeemed',
      () => sandbox.fire(type),
      ([delivery]) =>
        `the service delivers ${type} once, to ${webhook.url}: ${delivery?.attempts[0]?.status}`,
    );
    await relay.clock.advance(0);
    for (const { title, result } of started) {
      await narrator.step(
        `${title} has the event`,
        async () => (await result).link as { readonly url?: unknown },
        (link) => `signature valid, landing link created: ${link.url}`,
      );
    }
    await waitForReceiver(narrator, relay, key, subscription, late);
  } finally {
    sandbox.webhooks.remove(webhook.id);
    for (const platform of platforms) await platform.close();
  }
}

/** The service gives up after 12.6 minutes, and cannot list past events. */
async function waitForReceiver(
  narrator: Narrator,
  relay: Relay,
  { signingSecret }: NewToken,
  subscription: string,
  late: Late,
): Promise<void> {
  const delivery = async () => {
    const { data } = await relay.deliveries.list({ limit: 200 });
    const found = data.find(({ subscription_id }) => subscription_id === subscription);
    if (!found) throw new Error('There is no delivery to the receiver.');
    return found;
  };
  await narrator.step(
    '20 minutes later the receiver is still down',
    async () => {
      await relay.clock.advance(20 * minute);
      return delivery();
    },
    ({ attempts, next_attempt_at }) =>
      `${attempts.length} attempts, ${attempts.at(-1)?.error}; the next at ${next_attempt_at}`,
  );
  late.comeUp();
  await narrator.step(
    'It is up again',
    async () => {
      await relay.clock.advance(20 * minute);
      const { headers, body } = await late.result;
      const signature = String(headers['x-service-signature']);
      verifyWebhook({ body, signature, secrets: [signingSecret], now: () => relay.clock.now() });
      return delivery();
    },
    ({ state, attempts }) => `attempt ${attempts.length}, ${state}, signature valid`,
  );
}

/** Needs no more than a key. Returns the ID of the subscription. */
async function subscribe(url: string, { token }: NewToken, target: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/subscriptions`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ target_url: target, events: [type] }),
  });
  const record = await response.json();
  if (!response.ok) throw new Error(record.detail);
  return record.id;
}

type Late = Awaited<ReturnType<typeof openLateReceiver>>;

/** Breaks every connection until it is up. It keeps its port meanwhile. */
async function openLateReceiver() {
  const first = Promise.withResolvers<ReceivedDelivery>();
  let isUp = false;
  const server = createServer(async (request, response) => {
    first.resolve({ headers: request.headers, body: await buffer(request) });
    response.end();
  });
  server.on('connection', (socket) => isUp || socket.resetAndDestroy());
  return {
    url: `${await urlOf(server)}/`,
    result: first.promise,
    comeUp() {
      isUp = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
