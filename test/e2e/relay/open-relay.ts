import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRelay, type Relay, type RelayOptions } from '@screen-advertising/relay';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '../../../packages/relay/src/run/postgres/embedded.ts';
import { urlOf } from '../../support/server-url.ts';
import { livelyRelay } from './lively-relay.ts';

export const adminToken = 'admin-token-of-the-end-to-end-tests';

export interface RelayWorld {
  /** A relay with its own database and a frozen clock, with records of every kind. */
  open(port?: number, history?: readonly number[]): Promise<{ relay: Relay; url: string }>;
  /** One without a source, on the real clock, or on one that stands still from this time on. */
  openEmpty(startAt?: number): Promise<{ relay: Relay; url: string }>;
  /** The URL of an unrelated server. */
  readonly elsewhere: string;
  close(): Promise<void>;
}

const stoppedAt = (startAt: number): RelayOptions => ({
  internal: { clock: 'frozen', startAt, random: () => 0 },
});

/** A PostgreSQL for several relays, and the targets that they deliver to. */
export async function openRelayWorld(targetPort = 0): Promise<RelayWorld> {
  const folder = await mkdtemp(path.join(tmpdir(), 'relay-'));
  const postgres = await openEmbeddedPostgres(folder);
  const receiver = createServer((request, response) => {
    const [status = '200'] = /\d{3}/.exec(request.url ?? '') ?? [];
    response.writeHead(Number(status)).end();
  });
  const target = await urlOf(receiver, targetPort);
  const relays = new Set<Relay>();
  const openOn = async (options: RelayOptions, port = 0) => {
    const name = `page_${randomUUID().replaceAll('-', '')}`;
    const client = new Client({ connectionString: postgres.connectionString });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    const relay = await createRelay({
      databaseUrl: postgres.connectionString.replace('/postgres?', `/${name}?`),
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      adminToken,
      allowTargets: ['127.0.0.1'],
      ...options,
    });
    relays.add(relay);
    return { relay, ...(await relay.listen(port)) };
  };
  return {
    elsewhere: target,
    openEmpty: (startAt) => openOn(startAt === undefined ? {} : stoppedAt(startAt)),
    async open(port, history = []) {
      const startAt = Date.parse('2027-03-01T09:00:00Z') - history.length * 3_600_000;
      const { relay, url } = await openOn(stoppedAt(startAt), port);
      const targets = {
        works: `${target}/n8n/webhook/5f0c`,
        fails: `${target}/hooks/standard/503`,
        gone: `${target}/landing/410`,
      };
      await livelyRelay(relay, url, targets, history);
      // Writes what the plot counted.
      await relay.clock.advance(2_000);
      return { relay, url };
    },
    async close() {
      await Promise.all([...relays].map((relay) => relay.close()));
      receiver.close();
      await postgres.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
