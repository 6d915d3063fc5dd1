import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import { readDatabaseUrl } from './connect.ts';

const channel = 'relay_deliveries';
const reconnectMs = 1_000;
const pauseMs = 50;

/**
 * Wakes the senders of other processes when a delivery is due. Runs outside the ingest's
 * transaction: a NOTIFY inside would make all commits wait for each other. Polling finds whatever a
 * lost notification misses.
 */
export class Notifier {
  readonly #pool: Pool;
  readonly #self = randomUUID();
  #sending: Promise<unknown> | undefined;
  #again = false;
  #client: Client | undefined;
  #isClosed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Merges all calls during a notification, or shortly after it, into one more. */
  notify(): void {
    this.#again = true;
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    while (this.#again && !this.#isClosed) {
      this.#again = false;
      await this.#pool
        .query('SELECT pg_notify($1, $2)', [channel, this.#self])
        .catch(() => undefined);
      if (this.#again) await wait(pauseMs);
    }
    this.#sending = undefined;
  }

  /** Listens on a separate connection and reconnects whenever it breaks. */
  listen(connectionString: string, onNotify: () => void): void {
    this.#connect(connectionString, onNotify);
  }

  #connect(connectionString: string, onNotify: () => void): void {
    if (this.#isClosed) return;
    const client = new Client({ ...readDatabaseUrl(connectionString), keepAlive: true });
    this.#client = client;
    const again = () => {
      if (client === this.#client) {
        this.#client = undefined;
        setTimeout(() => this.#connect(connectionString, onNotify), reconnectMs).unref();
      }
    };
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload }) => {
      if (payload !== this.#self) onNotify();
    });
    client
      .connect()
      .then(() => client.query(`LISTEN ${channel}`))
      .then(onNotify, again);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    await Promise.all([this.#sending, client?.end().catch(() => undefined)]);
  }
}
