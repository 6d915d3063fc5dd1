import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '../../../../packages/relay/src/run/postgres/embedded.ts';
import { type StoredEvents, storeEvents } from '../../../relay/support/stored-events.ts';
import type { Goal, Table } from '../../lib/section.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import type { Heard, Request } from './receivers.ts';
import { RelayUnderLoad } from './relay-under-load.ts';

/** What one measurement adds to the part. */
export interface Findings {
  readonly table: Table;
  readonly goals: readonly Goal[];
}

/** More events in one statement would fill the memory. */
const maxAtOnce = 500_000;

/** What the measurements share: a PostgreSQL as the relay starts it, with its fsync on. */
export class Stage {
  readonly #connectionString: string;
  readonly #closers: (() => unknown)[] = [];

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  static async open(use: (stage: Stage) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'bench-'));
    const server = await openEmbeddedPostgres(folder);
    const stage = new Stage(server.connectionString);
    try {
      const { rows } = await stage.sql(server.connectionString, (client) =>
        client.query('SHOW fsync'),
      );
      if (rows[0]?.fsync !== 'on') throw new Error('PostgreSQL does not wait for the disk.');
      await use(stage);
    } finally {
      stage.clear();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** An empty database. */
  async database(): Promise<string> {
    const name = `bench_${randomUUID().replaceAll('-', '')}`;
    await this.sql(this.#connectionString, (client) => client.query(`CREATE DATABASE ${name}`));
    return this.#connectionString.replace('/postgres?', `/${name}?`);
  }

  async sql<Result>(
    databaseUrl: string,
    use: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }

  /** Stores events of the past, the oldest first, and leaves no work of it to the database. */
  async seed(databaseUrl: string, events: StoredEvents): Promise<void> {
    await this.sql(databaseUrl, async (client) => {
      const { count, secondsAgo = 0, secondsBetween = 1 } = events;
      for (let left = count; left > 0; left -= maxAtOnce) {
        const size = Math.min(left, maxAtOnce);
        const age = secondsAgo + (left - size) * secondsBetween;
        await storeEvents(client, { ...events, count: size, secondsAgo: age });
      }
      await client.query('VACUUM ANALYZE');
      await client.query('CHECKPOINT');
    });
  }

  /** A relay in a separate process. */
  relay(databaseUrl: string): RelayUnderLoad {
    return this.#kept(new RelayUnderLoad(databaseUrl));
  }

  /** Receivers in a separate process. */
  receivers(): Receivers {
    return this.#kept(new Receivers());
  }

  /** Ends what was started since the last time. */
  clear(): void {
    for (const close of this.#closers.splice(0)) close();
  }

  #kept<Kept extends { kill(): void }>(kept: Kept): Kept {
    this.#closers.push(() => kept.kill());
    return kept;
  }
}

export class Receivers {
  readonly #worker = startWorker<Request, Heard>(siblingPath(import.meta.url, 'receivers.ts'));

  async open(count: number, delayMs = 0): Promise<readonly string[]> {
    return (await this.#worker.ask({ open: { count, delayMs } })).urls;
  }

  /** The latencies of what arrived since the last time; waits until it is so many. */
  async heard(until = 0): Promise<readonly number[]> {
    return (await this.#worker.ask({ until })).latencies;
  }

  kill(): void {
    this.#worker.stop();
  }
}
