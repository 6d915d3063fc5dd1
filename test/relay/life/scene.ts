import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Relay } from '@screen-advertising/relay';
import { retryConflict } from '../../../packages/relay/src/database/retry-conflict.ts';
import type { Random } from '../../../packages/sandbox/src/random.ts';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, send, start } from '../support/running-relay.ts';
import { History, type Place, type Put, type Stop } from './history.ts';

export const types = ['campaign.paid', 'coupon.redeemed', 'user.registered'] as const;
const wanted: readonly [readonly string[], ...(readonly string[])[]] = [
  [types[0]],
  [types[0], types[1]],
  ['*'],
  [types[2]],
  [types[1], types[2]],
];
const counts = { tokens: 3, targets: 3 } as const;
const day = 24 * 3_600_000;

/** Two relays on one database, three tokens and three targets, and what can be asked of them. */
export class Scene {
  readonly history = new History();
  readonly erased = new Set<number>();
  readonly random: Random;
  readonly relay: Relay;
  readonly databaseUrl: string;
  readonly #relays: readonly Running[];
  readonly #names: string[] = [];
  readonly #keys: string[] = [];
  readonly #revoked = new Set<number>();
  readonly #server: Listening;
  /** What a target does with its next requests. */
  readonly #plans: { failures: number; isGone: boolean }[];
  #calls = 0;
  #isOver = false;

  private constructor(
    random: Random,
    relays: readonly Running[],
    server: Listening,
    plans: Scene['plans'],
  ) {
    this.random = random;
    this.#relays = relays;
    [{ relay: this.relay, databaseUrl: this.databaseUrl }] = relays as [Running];
    this.#server = server;
    this.#plans = plans;
  }

  get plans() {
    return this.#plans;
  }

  static async open(random: Random): Promise<Scene> {
    const first = await start({ clock: 'running' });
    const second = await start({ clock: 'running', databaseUrl: first.databaseUrl });
    const plans = Array.from({ length: counts.targets }, () => ({ failures: 0, isGone: false }));
    const server = await listen(
      createServer(async (request, response) => {
        for await (const _ of request);
        const target = Number(request.url?.slice(1));
        const plan = plans[target];
        await wait(random.integer(0, 15));
        if (!plan || request.method === 'DELETE') return void response.writeHead(204).end();
        if (plan.isGone) {
          const now = scene.history.now();
          scene.history.stops.push({ kind: 'gone', target, sentAt: now, answeredAt: Infinity });
          return void response.writeHead(410).end();
        }
        plan.failures -= 1;
        response.writeHead(plan.failures >= 0 ? 500 : 200).end();
      }),
    );
    const scene = new Scene(random, [first, second], server, plans);
    for (let token = 0; token < counts.tokens; token += 1) {
      scene.#names.push(`program ${token}`);
      const rights = token === 0 ? ['manage'] : ['subscribe'];
      const made = await first.relay.tokens.create('main', `program ${token}`, rights);
      scene.#keys.push(made.token);
    }
    return scene;
  }

  async close(): Promise<void> {
    await Promise.all(this.#relays.map(({ relay }) => relay.close()));
    await this.#server.close();
  }

  get places(): readonly Place[] {
    return this.#keys.flatMap((_, token) =>
      Array.from({ length: counts.targets }, (__, target) => ({ token, target })),
    );
  }

  isRevoked({ token }: Place): boolean {
    return this.#revoked.has(token);
  }

  anyPlace(): Place {
    const { random } = this;
    return {
      token: random.integer(0, counts.tokens - 1),
      target: random.integer(0, counts.targets - 1),
    };
  }

  anyEvents(): readonly string[] {
    return this.random.pick(wanted);
  }

  urlOf(target: number): string {
    return `http://127.0.0.1:${this.#server.port}/${target}`;
  }

  /** The service delivers events until it is over. */
  async deliver(): Promise<void> {
    for (let number = this.history.events.length; !this.#isOver; number += 1) {
      const type = types[number % types.length] ?? types[0];
      const sentAt = this.history.now();
      const event = { id: `evt_${number}`, type, data: { number } };
      const { status } = await this.#next().deliver(event);
      if (status !== 202) throw new Error(`The relay responded with ${status}.`);
      this.history.events.push({ number, type, sentAt, acknowledgedAt: this.history.now() });
      await wait(this.random.integer(0, 8));
    }
  }

  end(): void {
    this.#isOver = true;
  }

  async put(place: Place, events: readonly string[], more: object = {}): Promise<void> {
    const asked: Put = {
      ...place,
      events,
      replaces: 'replaces' in more,
      sentAt: this.history.now(),
      answeredAt: Infinity,
      id: '',
      generation: 0,
    };
    this.history.puts.push(asked);
    if ('catch_up' in more && more.catch_up === false) this.stop({ kind: 'skip', ...place });
    const body = { target_url: this.urlOf(place.target), events, ...more };
    const { status, body: answer } = await this.#call(place.token, 'PUT', '/subscriptions', body);
    if (status > 201) return;
    const [, id = '', generation] = /^(sub_[0-9a-f]+)_(\d+)$/.exec(answer.id) ?? [];
    Object.assign(asked, { id, generation: Number(generation), answeredAt: this.history.now() });
  }

  /** Of the last PUT that has a response, or of the one before. */
  async delete(place: Place, isStale = false): Promise<void> {
    const put = this.history.putsOf(place).at(isStale ? -2 : -1);
    if (!put) return;
    const { id, generation } = put;
    const asked = this.stop({ kind: 'DELETE', ...place, id, generation });
    await this.#call(place.token, 'DELETE', `/subscriptions/${id}_${generation}`);
    asked.answeredAt = this.history.now();
  }

  async switch(place: Place, state: 'off' | 'active'): Promise<void> {
    const id = this.idOf(place);
    if (id === undefined) return;
    const asked = state === 'off' ? this.stop({ kind: 'off', ...place }) : undefined;
    await this.#call(place.token, 'PATCH', `/subscriptions/${id}`, { state });
    if (asked) asked.answeredAt = this.history.now();
  }

  async rotate(token: number, now: boolean): Promise<void> {
    if (now) this.stop({ kind: 'key', token });
    const name = this.#names[token] ?? '';
    if (this.#revoked.has(token)) return;
    this.#keys[token] = (await this.relay.tokens.rotate('main', name, { now })).token;
  }

  async revoke(token: number): Promise<void> {
    if (this.#revoked.has(token)) return;
    this.#revoked.add(token);
    this.stop({ kind: 'key', token });
    await this.relay.tokens.revoke('main', this.#names[token] ?? '');
  }

  /** As if those that are off had been so for much longer. */
  async age(ms: number): Promise<void> {
    this.stop({ kind: 'skip' });
    const text = `UPDATE subscription SET stopped_at = stopped_at - interval '${ms} ms' WHERE state = 'off'`;
    // It locks several rows, as no request does.
    await retryConflict(() => this.query(text));
  }

  async prune(): Promise<void> {
    this.stop({ kind: 'prune' });
    await this.age(40 * day);
    await this.#next().relay.prune(30 * day);
  }

  async erase(number: number): Promise<void> {
    this.erased.add(number);
    await this.relay.events.erase(String(number));
  }

  stop(what: Omit<Stop, 'sentAt' | 'answeredAt'>): Stop {
    const asked = { ...what, sentAt: this.history.now(), answeredAt: Infinity };
    this.history.stops.push(asked);
    return asked;
  }

  idOf(place: Place): string | undefined {
    const put = this.history.putsOf(place).at(-1);
    return put && `${put.id}_${put.generation}`;
  }

  query(text: string) {
    return onDatabase(this.databaseUrl, (client) => client.query(text));
  }

  #next(): Running {
    this.#calls += 1;
    return this.#relays[this.#calls % this.#relays.length] as Running;
  }

  /** With the key of the moment: it may have been rotated since the request was sent. */
  async #call(token: number, method: string, path: string, body?: object) {
    for (;;) {
      const key = this.#keys[token];
      const { url } = this.#next();
      const headers = { authorization: `Bearer ${key}` };
      const response = await send(`${url}/api/v1${path}`, method, headers, body);
      if (response.status === 401 && this.#keys[token] !== key) continue;
      if (response.status < 500) return response;
      await wait(20);
    }
  }
}
