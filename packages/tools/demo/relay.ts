import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '@screen-advertising/core';
import { createRelayClient } from '@screen-advertising/core/relay';
import { createRelay, type Relay, RelayError } from '@screen-advertising/relay';
import type { Service } from './narrator.ts';
import { openReceiver } from './receiver.ts';

const type = 'coupon.redeemed';
const minute = 60_000;

/** One event through the relay to a receiver that is down at first. */
export async function passOn(service: Service): Promise<void> {
  const { narrator } = service;
  narrator.chapter('Relay: one event to a receiver that is down');
  const dataDir = await mkdtemp(join(tmpdir(), 'relay-'));
  // Its clock is frozen, so hours pass in a moment.
  const options = { clock: 'frozen', allowTargets: ['127.0.0.1'], random: () => 0 } as const;
  try {
    const relay = await createRelay({ dataDir, ...options });
    await deliver(service, relay).finally(() => relay.close());
  } catch (error) {
    if (!(error instanceof RelayError && error.code === 'no_postgres')) throw error;
    narrator.note('not here, since no PostgreSQL is installed for this platform');
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The service gives up after 12.6 minutes, and cannot list past events. */
async function deliver({ narrator, sandbox }: Service, relay: Relay): Promise<void> {
  await relay.sources.add('main', sandbox.accesses[0].signingSecret);
  const { connectorKey, signingSecret } = await relay.tokens.create('main', 'a receiver');
  const { url } = await relay.listen();
  const webhook = sandbox.webhooks.add({ url: `${url}/in/main` });
  const receiver = await openReceiver({ isUp: false });
  const delivery = async () => {
    await relay.clock.advance(20 * minute);
    const [found] = (await relay.operate('deliveries.list', { limit: 1 })).data;
    if (!found) throw new Error('There is no delivery to the receiver.');
    return found;
  };
  const client = createRelayClient({ baseUrl: url, connectorKey });
  await narrator.step(
    'A receiver that is down subscribes',
    () => client.subscribe({ target_url: receiver.url, events: [type] }),
    ({ id }) => id,
  );
  await narrator.step(
    'A coupon is redeemed',
    () => sandbox.fire(type),
    ([sent]) => `the service delivers ${type} once: ${sent?.attempts[0]?.status}`,
  );
  await narrator.step(
    '20 minutes later it is down',
    delivery,
    ({ attempts, next_attempt_at }) =>
      `${attempts.length} attempts, ${attempts.at(-1)?.error}; the next at ${next_attempt_at}`,
  );
  receiver.comeUp();
  await narrator.step(
    'It is up again',
    async () => {
      const found = await delivery();
      const now = () => relay.clock.now();
      verifyWebhook({ ...(await receiver.first), secrets: [signingSecret], now });
      return found;
    },
    ({ state, attempts }) => `attempt ${attempts.length}, ${state}, signature valid`,
  );
  sandbox.webhooks.remove(webhook.id);
  receiver.close();
}
