import { mkdtempSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { createRelay, type Relay } from '@screen-advertising/relay';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../packages/relay/src/postgres/embedded.ts';
import { tier } from '../../support/tier.ts';
import { onDatabase } from '../support/database.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey } from '../support/running-relay.ts';
import { bodyOf, type } from './service.ts';
import { environment } from './setting.ts';
import { Subscriber } from './subscriber.ts';

export const { events, kills } =
  tier === 'nightly' ? { events: 20_000, kills: 20 } : { events: 3_000, kills: 3 };
/** Deliveries of all events to all subscribers. */
export const total = events * 5;
const pauseMs = 20;

interface Work {
  /** How much of the work is done so far. */
  readonly done: () => Promise<number>;
  readonly all: number;
  /** Asks the running process for the work. */
  readonly ask?: (relay: RelayProcess) => Promise<void>;
}

/** Stored events, one a second, and five subscriptions, on a PostgreSQL that waits for its disk. */
export class Backlog {
  readonly subscribers = Array.from({ length: 5 }, () => new Subscriber());
  /** Of the subscriptions. */
  readonly ids: string[] = [];
  readonly urls: string[] = [];
  readonly #postgres: EmbeddedPostgres;
  #token = '';

  private constructor(postgres: EmbeddedPostgres) {
    this.#postgres = postgres;
  }

  static async open(): Promise<Backlog> {
    const folder = mkdtempSync(path.join(tmpdir(), 'backlog-'));
    const backlog = new Backlog(await openEmbeddedPostgres(folder));
    await backlog.#store();
    return backlog;
  }

  async #store(): Promise<void> {
    for (const subscriber of this.subscribers) this.urls.push(await subscriber.start());
    await this.byCommand(async (relay) => {
      await relay.sources.add('main', 'a-secret-of-the-service');
      this.#token = (await relay.tokens.create('main', 'all')).token;
    });
    await this.query(
      `INSERT INTO subscription (id, source_number, token_number, target_url, events, created_at)
      SELECT uuidv7(), 1, 1, url, ARRAY[$2], now() FROM unnest($1::text[]) AS url`,
      [this.urls, type],
    );
    await this.query('INSERT INTO lease (subscription_number) SELECT number FROM subscription');
    await this.query(
      `INSERT INTO event (source_number, id, key, type, body, received_at)
      SELECT 1, uuidv7(age), 'id:' || nth, $1, convert_to(body, 'UTF8'), now() + age
      FROM unnest($2::text[]) WITH ORDINALITY AS one (body, nth),
        make_interval(secs => nth - ${events}) AS age`,
      [type, Array.from({ length: events }, (_, number) => bodyOf(number))],
    );
    const { data } = await this.byCommand(({ subscriptions }) => subscriptions.list());
    this.ids.push(...data.map(({ id }) => id));
  }

  async close(): Promise<void> {
    await Promise.all(this.subscribers.map((subscriber) => subscriber.stop()));
    await this.#postgres.close();
  }

  get environment(): Readonly<Record<string, string>> {
    return { ...environment, DATABASE_URL: this.#postgres.connectionString };
  }

  /** The first row. */
  async query(text: string, values: unknown[] = []): Promise<Record<string, number>> {
    return onDatabase(
      this.#postgres.connectionString,
      async (client) => (await client.query(text, values)).rows[0] ?? {},
    );
  }

  /** As a command does it: a process that marks the work and ends. */
  async byCommand<Result>(work: (relay: Relay) => Promise<Result>): Promise<Result> {
    const databaseUrl = this.#postgres.connectionString;
    const relay = await createRelay({ databaseUrl, secretKey, role: 'ingress' });
    try {
      return await work(relay);
    } finally {
      await relay.close();
    }
  }

  /** As a connector does it: a request about subscriptions to a running process. */
  async call({ url }: RelayProcess, method: string, at: string, body?: object): Promise<Response> {
    const response = await fetch(`${url}/api/v1/subscriptions${at}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new Error(`${method} ${at} got status ${response.status}: ${await response.text()}`);
  }

  counts(): Promise<Record<string, number>> {
    return this.query(`SELECT count(*) FILTER (WHERE state = 'pending')::integer AS pending,
        count(*) FILTER (WHERE state = 'delivered')::integer AS delivered,
        count(*) FILTER (WHERE state = 'dead')::integer AS dead,
        count(DISTINCT (event_id, subscription_number))::integer AS different,
        (SELECT count(*)::integer FROM event) AS events, (SELECT count(*)::integer FROM job) AS jobs
      FROM delivery`);
  }

  /** Kills the process whenever the next part of the work is done, until all of it is. */
  async killDuring(name: string, { done, all, ask }: Work): Promise<void> {
    const relay = await RelayProcess.start({
      ...this.environment,
      RELAY_ROLE: ask ? 'all' : 'sender',
      RELAY_RETENTION_DAYS: '30',
    });
    let killed = 0;
    try {
      await ask?.(relay);
      for (let now = await done(); now < all; now = await done()) {
        if (killed < kills && now > (killed * all) / (kills + 1)) {
          await relay.kill();
          killed += 1;
        }
        await wait(pauseMs);
      }
      expect(relay.crashes).toEqual([]);
    } finally {
      await relay.stop();
    }
    writeSync(1, `\n${name}: killed ${killed} times: ${JSON.stringify(await this.counts())}\n`);
  }
}
