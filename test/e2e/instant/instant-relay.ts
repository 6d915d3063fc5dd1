import { createRelay } from '@screen-advertising/relay';
import type { Sandbox } from '@screen-advertising/sandbox';
import { Client } from 'pg';
import { freePort } from '../../support/free-port.ts';
import type { Postgres } from '../support/postgres.ts';

export interface InstantRelay {
  readonly url: string;
  readonly connectorKey: string;
  /** Moves the clock and attempts what falls due on the way, unless the relay is stopped. */
  advance(ms: number): Promise<void>;
  /** Stops listening at its address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The URLs that are delivered to, sorted, each with its events. */
  live(): Promise<string[]>;
  close(): Promise<void>;
}

/** A relay that can go away and come back, on the clock of the sandbox that delivers to it. */
export async function openInstantRelay({
  postgres,
  sandbox,
}: {
  readonly postgres: Postgres;
  readonly sandbox: Sandbox;
}): Promise<InstantRelay> {
  const server = `postgres://n8n@127.0.0.1:${postgres.port}`;
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query('CREATE DATABASE relay');
  await client.end();
  const port = await freePort();
  const open = () =>
    createRelay({
      databaseUrl: `${server}/relay`,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      allowTargets: ['127.0.0.1'],
      internal: { clock: 'frozen', startAt: sandbox.clock.now(), random: () => 0 },
    });
  let relay = await open();
  let isOpen = true;
  const [{ signingSecret }] = sandbox.accesses;
  await relay.sources.add('main', signingSecret);
  const { connectorKey } = await relay.tokens.create('main', 'n8n');
  const { url } = await relay.listen(port);
  sandbox.webhooks.add({ url: `${url}/in/main` });
  return {
    url,
    connectorKey,
    advance: async (ms) => void (isOpen && (await relay.clock.advance(ms))),
    async stop() {
      isOpen = false;
      await relay.close();
    },
    async start() {
      relay = await open();
      isOpen = true;
      await relay.listen(port);
    },
    async live() {
      const { data } = await relay.operate('subscriptions.list', { limit: 200 });
      return data
        .filter(({ state }) => state === 'active')
        .map(({ target_url, events }) => `${target_url} ${events.join(' ')}`)
        .sort();
    },
    close: () => relay.close(),
  };
}
