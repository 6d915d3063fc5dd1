import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '@screen-advertising/core';
import { createRelay, type Relay, RelayError } from '@screen-advertising/relay';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { Narrator } from './narrator.ts';
import { openReceiver } from './receiver.ts';

const type = 'coupon.redeemed';
const minute = 60_000;

/** One event through the relay to a receiver that is down at first. */
export async function passOn(narrator: Narrator, sandbox: Sandbox): Promise<void> {
  narrator.chapter('Relay: one event to a receiver that is down');
  const folder = await mkdtemp(join(tmpdir(), 'relay-'));
  const relay = await narrator.step(
    'The relay starts',
    () => open(folder),
    (opened) =>
      opened
        ? 'with its own PostgreSQL'
        : 'not here, since no PostgreSQL is installed for this platform',
  );
  try {
    if (relay) await deliver(narrator, sandbox, relay);
  } finally {
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

/** The service gives up after 12.6 minutes, and cannot list past events. */
async function deliver(narrator: Narrator, sandbox: Sandbox, relay: Relay): Promise<void> {
  await relay.sources.add('main', sandbox.accesses[0].signingSecret);
  const { token, signingSecret } = await relay.tokens.create('main', 'a receiver');
  const { url } = await relay.listen();
  sandbox.reset();
  const webhook = sandbox.webhooks.add({ url: `${url}/in/main` });
  const receiver = await openReceiver({ isUp: false });
  const delivery = async () => {
    const { data } = await relay.operate('deliveries.list', { limit: 1 });
    const [found] = data;
    if (!found) throw new Error('There is no delivery to the receiver.');
    return found;
  };
  try {
    await narrator.step(
      'A receiver that is down subscribes',
      () => subscribe(url, token, receiver.url),
      (id) => id,
    );
    await narrator.step(
      'A coupon is redeemed',
      () => sandbox.fire(type),
      ([sent]) => `the service delivers ${type} once: ${sent?.attempts[0]?.status}`,
    );
    await narrator.step(
      '20 minutes later it is down',
      async () => {
        await relay.clock.advance(20 * minute);
        return delivery();
      },
      ({ attempts, next_attempt_at }) =>
        `${attempts.length} attempts, ${attempts.at(-1)?.error}; the next at ${next_attempt_at}`,
    );
    receiver.comeUp();
    await narrator.step(
      'It is up again',
      async () => {
        await relay.clock.advance(20 * minute);
        const { headers, body } = await receiver.first;
        const signature = String(headers['x-service-signature']);
        verifyWebhook({ body, signature, secrets: [signingSecret], now: () => relay.clock.now() });
        return delivery();
      },
      ({ state, attempts }) => `attempt ${attempts.length}, ${state}, signature valid`,
    );
  } finally {
    sandbox.webhooks.remove(webhook.id);
    receiver.close();
  }
}

/** Needs no more than a key. Returns the ID of the subscription. */
async function subscribe(url: string, token: string, target: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/subscriptions`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ target_url: target, events: [type] }),
  });
  const record = await response.json();
  if (!response.ok) throw new Error(record.detail);
  return record.id;
}
