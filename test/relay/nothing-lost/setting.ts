import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createRelay, type RelayOptions } from '@screen-advertising/relay';
import type { Random } from '../../../packages/sandbox/src/random.ts';
import { onDatabase } from '../support/database.ts';
import { secretKey, send } from '../support/running-relay.ts';
import { type Service, secret, type } from './service.ts';
import { type Misbehavior, Subscriber } from './subscriber.ts';

export const environment = { RELAY_SECRET_KEY: secretKey, RELAY_ALLOW_TARGETS: '127.0.0.1' };

/** Some attempts fail, but none fails twice: the second retry waits for half a minute. */
const stumbles = (number: number, attempt: number): Misbehavior => {
  if (attempt > 1) return undefined;
  if (number % 199 === 7) return 500;
  return number % 211 === 7 ? 'reset' : undefined;
};
const goneFrom = 20;

/** Five subscribers that receive everything, and one that is gone for good after a while. */
export class Setting {
  readonly subscribers = Array.from({ length: 5 }, () => new Subscriber(stumbles));
  readonly gone = new Subscriber((number) => (number >= goneFrom ? 410 : undefined));
  readonly #token: string;

  private constructor(token: string) {
    this.#token = token;
  }

  /** Creates the source and a token before any process runs. */
  static async prepare(options: RelayOptions): Promise<Setting> {
    const relay = await createRelay({ ...options, secretKey, role: 'ingress' });
    try {
      await relay.sources.add('main', secret);
      return new Setting((await relay.tokens.create('main', 'all')).token);
    } finally {
      await relay.close();
    }
  }

  async subscribe(api: string): Promise<void> {
    for (const subscriber of [...this.subscribers, this.gone]) {
      const body = { target_url: await subscriber.start(), events: [type] };
      const headers = { authorization: `Bearer ${this.#token}` };
      const { status } = await send(`${api}/api/v1/subscriptions`, 'PUT', headers, body);
      if (status !== 201) throw new Error(`The subscription was answered with ${status}.`);
    }
  }

  /** How many events the permanent subscribers have received in total. */
  arrived(): number {
    return this.subscribers.reduce((sum, { accepted }) => sum + accepted.size, 0);
  }

  /** Waits until nothing is left to deliver. */
  async finish(connectionString: () => string): Promise<void> {
    await until(async () => (await left(connectionString())) === 0, 500);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.subscribers, this.gone].map((subscriber) => subscriber.stop()));
  }

  /** What the subscribers have received, and what the relay reports about it. */
  async result(events: number, connectionString: string) {
    const numbers = Array.from({ length: events }, (_, number) => number);
    const all = [...this.subscribers, this.gone];
    const accepted = (number: number) =>
      this.subscribers.map((subscriber) => subscriber.accepted.get(number) ?? 0);
    const counts = numbers.flatMap(accepted);
    const idsOf = (number: number) =>
      new Set(all.flatMap(({ ids }) => [...(ids.get(number) ?? [])])).size;
    return {
      lost: counts.filter((count) => count === 0).length,
      duplicates: counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
      withSeveralIds: numbers.filter((number) => idsOf(number) > 1).length,
      strange: all.flatMap(({ strange }) => strange),
      ...(await records(connectionString)),
    };
  }
}

/** Retries, and subscriptions with events to read, of those that are on. */
async function left(connectionString: string): Promise<number> {
  const query = `SELECT ((
      SELECT count(*) FROM delivery JOIN subscription ON number = subscription_number
      WHERE delivery.state = 'pending' AND subscription.state = 'active'
    ) + (
      SELECT count(*) FROM subscription
      WHERE state = 'active' AND position < (SELECT max(position) FROM event WHERE type = ANY (events))
    ))::integer AS count`;
  return onDatabase(connectionString, async (client) => (await client.query(query)).rows[0].count);
}

/** The contents of the database, including dead deliveries by the state of their subscription. */
async function records(connectionString: string) {
  const query = `SELECT
      (SELECT count(*)::integer FROM event) AS events,
      count(*) FILTER (WHERE delivery.state = 'dead' AND subscription.state = 'active')::integer AS "deadOfActive",
      count(*) FILTER (WHERE delivery.state = 'dead' AND subscription.state = 'off')::integer AS "deadOfGone"
    FROM delivery JOIN subscription ON subscription.number = delivery.subscription_number`;
  return onDatabase(
    connectionString,
    async (client) =>
      (await client.query<{ events: number; deadOfActive: number; deadOfGone: number }>(query))
        .rows[0],
  );
}

export function report(what: string, service: Service, figures: object): void {
  const { acknowledged, refused } = service;
  writeSync(1, `\n${what}: ${JSON.stringify({ acknowledged, refused, ...figures })}\n`);
}

const pauseMs = 20;
/** Of the whole run: what happens before and after proves nothing. */
const [first, last] = [0.02, 0.95];

/** Calls a function so many times at random moments while work advances. */
export async function spread(
  random: Random,
  { times, total, done }: { times: number; total: number; done: () => number },
  act: (time: number) => Promise<void>,
): Promise<void> {
  const moments = Array.from(
    { length: times },
    () => (first + random.next() * (last - first)) * total,
  ).sort((one, other) => one - other);
  for (const [time, moment] of moments.entries()) {
    await until(() => done() >= moment);
    await act(time);
  }
}

/** Waits for progress, however long it takes. */
async function until(condition: () => boolean | Promise<boolean>, pause = pauseMs): Promise<void> {
  while (!(await condition())) await wait(pause);
}
