import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createRelay, type Relay, RelayError } from '@screen-advertising/relay';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../packages/relay/src/run/postgres/embedded.ts';
import type { Random } from '../../../packages/sandbox/src/random.ts';
import { seed, tier } from '../../support/tier.ts';
import { killPostgres } from '../nothing-lost/postgres.ts';
import { environment } from '../nothing-lost/setting.ts';
import { onDatabase } from '../support/database.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey, sourceSecret } from '../support/running-relay.ts';
import { Hub } from './hub.ts';
import { changeHands } from './run.ts';

const runs = tier === 'nightly' ? 200 : 1;
const roles = ['ingress', 'ingress', 'sender', 'sender'];

/** Relays, two of which store events and two of which deliver them, with one PostgreSQL. */
class Cluster {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'hands-'));
  admin!: Relay;
  databaseUrl = '';
  #postgres!: EmbeddedPostgres;
  #processes: RelayProcess[] = [];
  #killing = Promise.resolve();

  static async start(): Promise<Cluster> {
    const cluster = new Cluster();
    cluster.#postgres = await openEmbeddedPostgres(cluster.folder);
    await cluster.#openDatabase(await cluster.#createDatabase());
    await cluster.admin.sources.add('main', sourceSecret);
    await cluster.#startProcesses();
    return cluster;
  }

  get urls(): string[] {
    return this.#processes.slice(0, 2).map(({ url }) => url);
  }

  /** One after the other, so that each is killed while it runs. */
  kill(random: Random): Promise<void> {
    this.#killing = this.#killing.then(async () => {
      if (random.chance(0.8)) return this.#processes[random.integer(0, 3)]?.kill();
      killPostgres(this.folder);
      this.#postgres = await this.#reopen();
    });
    return this.#killing;
  }

  /** As often as it takes, like a relay: processes of the killed server may take long to end. */
  async #reopen(): Promise<EmbeddedPostgres> {
    for (;;) {
      try {
        return await openEmbeddedPostgres(this.folder);
      } catch (error) {
        if (!(error instanceof RelayError)) throw error;
      }
    }
  }

  /** Kills all relays after a copy, and continues with it. */
  async restore(hub: Hub): Promise<void> {
    await this.#killing;
    const name = await this.#createDatabase();
    await hub.operate(() => this.admin.copy(this.#addressOf(name)));
    await this.#stopProcesses();
    await this.admin.close();
    await this.#openDatabase(name);
    await this.#startProcesses();
  }

  async stop(): Promise<void> {
    await this.#stopProcesses();
    await this.admin?.close();
    await this.#postgres.close();
  }

  async #createDatabase(): Promise<string> {
    const name = `hands_${randomUUID().replaceAll('-', '')}`;
    await onDatabase(this.#postgres.connectionString, (client) =>
      client.query(`CREATE DATABASE ${name}`),
    );
    return name;
  }

  #addressOf(name: string): string {
    return this.#postgres.connectionString.replace('/postgres?', `/${name}?`);
  }

  async #openDatabase(name: string): Promise<void> {
    this.databaseUrl = this.#addressOf(name);
    const options = { databaseUrl: this.databaseUrl, secretKey, role: 'ingress' } as const;
    this.admin = await createRelay(options);
  }

  async #startProcesses(): Promise<void> {
    const settings = { ...environment, DATABASE_URL: this.databaseUrl };
    this.#processes = await Promise.all(
      roles.map((role) => RelayProcess.start({ ...settings, RELAY_ROLE: role })),
    );
  }

  async #stopProcesses(): Promise<void> {
    const ended = this.#processes.splice(0);
    await Promise.all(ended.map((one) => one.stop()));
    expect(ended.flatMap(({ crashes }) => crashes)).toEqual([]);
  }
}

it(`programs get every event although relays and PostgreSQL are killed and restored, in ${runs} runs`, async () => {
  const cluster = await Cluster.start();
  let secret: string | undefined;
  try {
    for (let run = 0; run < runs; run += 1) {
      const hub: Hub = new Hub(cluster, secret);
      const result = await changeHands(hub, {
        seed: seed + run * 100,
        operations: 8,
        kill: (random) => cluster.kill(random),
        restore: () => cluster.restore(hub),
      });
      secret = hub.secret;
      writeSync(1, `\nKilled: ${JSON.stringify(result)}\n`);
      expect(result).toMatchObject({ lost: 0 });
    }
  } finally {
    await cluster.stop();
  }
});
