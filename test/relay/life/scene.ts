import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Relay } from '@screen-advertising/relay';
import { retryOnConflict } from '../../../packages/relay/src/base/statements.ts';
import type { SeededRandom } from '../../../packages/sandbox/src/state/random.ts';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import { onDatabase, postEvent, send, sourceSecret } from '../support/running-relay.ts';
import { byHand, named } from './audit.ts';
import { type Arrival, History, note, type Place, types } from './history.ts';

const counts = { tokens: 3, targets: 3 } as const;
const pauseMs = 20;
const day = 24 * 3_600_000;

interface Token {
  readonly name: string;
  /** Every key that it has had, the last one first. */
  readonly keys: { readonly token: string; readonly signingSecret: string }[];
  isRevoked: boolean;
}

/** Two relays on one database, with their operator: what several runs share, one after the other. */
export interface Stage {
  readonly databaseUrl: string;
  /** Of the operator. It delivers nothing. */
  readonly admin: Relay;
  /** The address of one that is not paused, as a load balancer chooses. */
  readonly next: () => string;
}

/** A source that no other run uses, with three tokens and three targets, and what can be asked of the relays. */
export class Scene {
  readonly history = new History();
  readonly source = `source-${randomUUID()}`;
  readonly tokens: Token[] = [];
  readonly stage: Stage;
  readonly random: SeededRandom;
  targets!: Targets;
  #isOver = false;

  private constructor(stage: Stage, random: SeededRandom) {
    this.stage = stage;
    this.random = random;
  }

  static async open(stage: Stage, random: SeededRandom): Promise<Scene> {
    const scene = new Scene(stage, random);
    await scene.query('DELETE FROM audit');
    await stage.admin.sources.add(scene.source, sourceSecret);
    for (let nth = 0; nth < counts.tokens; nth += 1) {
      const name = `program ${nth}`;
      const right = nth === 0 ? 'manage' : 'subscribe';
      const key = await stage.admin.tokens.create(scene.source, name, [right]);
      scene.tokens.push({ name, keys: [key], isRevoked: false });
    }
    scene.targets = await Targets.start(counts.targets, random, scene.history.arrivals);
    return scene;
  }

  async close(): Promise<void> {
    this.end();
    await this.targets.close();
  }

  get places(): readonly Place[] {
    return this.tokens.flatMap((_, token) =>
      Array.from({ length: counts.targets }, (__, target) => ({ token, target })),
    );
  }

  anyPlace(): Place {
    const { random } = this;
    return {
      token: random.integer(0, counts.tokens - 1),
      target: random.integer(0, counts.targets - 1),
    };
  }

  isRevoked({ token }: Place): boolean {
    return this.tokens[token]?.isRevoked ?? true;
  }

  idOf(place: Place): string | undefined {
    const put = this.history.putsOf(place).at(-1);
    return put && `${put.id}_${put.generation}`;
  }

  /** The service, which delivers one event after the other until it is over. */
  async deliver(): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const type = types[number % types.length] ?? types[0];
      const asked = note(this.history.events, { number, type });
      const event = { id: `evt_${number}`, type, data: { number } };
      const { source } = this;
      while (!Number.isFinite(asked.answeredAt)) {
        const sent = postEvent(this.stage.next(), event, { source });
        const status = (await sent.catch(() => undefined))?.status ?? 503;
        // 200 for one that was stored although its process was killed.
        if ([200, 202].includes(status)) asked.answeredAt = Date.now();
        else await wait(pauseMs);
      }
      await wait(this.random.integer(0, 8));
    }
  }

  end(): void {
    this.#isOver = true;
  }

  /** One that gets no response, since its process was killed, is sent again, as programs do. */
  async put(place: Place, events: readonly string[], more: object = {}): Promise<void> {
    const body = { target_url: this.targets.urlOf(place.target), events, ...more };
    for (let isOver = false; !isOver && !this.isRevoked(place); ) {
      const put = note(this.history.puts, { ...place, events, id: '', generation: 0 });
      const response = await this.#send(place.token, 'PUT', '/subscriptions', body);
      isOver = response !== undefined;
      if (response === undefined || response.status > 201) continue;
      const [, id = '', generation] = /^(sub_[0-9a-f]+)_(\d+)$/.exec(response.body.id) ?? [];
      Object.assign(put, { id, generation: Number(generation), answeredAt: Date.now() });
    }
  }

  /** Of the last PUT that has a response, or of the one before. */
  async delete(place: Place, isStale = false): Promise<void> {
    const put = this.history.putsOf(place).at(isStale ? -2 : -1);
    if (!put) return;
    const { id, generation } = put;
    const asked = note(this.history.deletes, { ...place, id, generation });
    const response = await this.call(place.token, 'DELETE', `/subscriptions/${id}_${generation}`);
    if (response?.status === 204) asked.answeredAt = Date.now();
  }

  async change(place: Place, state: 'off' | 'active'): Promise<void> {
    await this.call(place.token, 'PATCH', `/subscriptions/${this.idOf(place)}`, { state });
  }

  async redeliver(place: Place, what: object): Promise<void> {
    await this.call(place.token, 'POST', `/subscriptions/${this.idOf(place)}/redeliver`, what);
  }

  async expireKey(token: number, how: 'revoked' | 'rotated' | 'a day later'): Promise<void> {
    const known = this.tokens[token];
    if (!known || known.isRevoked) return;
    if (how !== 'revoked') return this.#rotate(known, how === 'rotated');
    known.isRevoked = true;
    await this.stage.admin.tokens.revoke(this.source, known.name);
  }

  async #rotate(token: Token, now: boolean): Promise<void> {
    const key = await this.stage.admin.tokens
      .rotate(this.source, token.name, { now })
      .catch((error) => {
        if (token.isRevoked) return undefined;
        throw error;
      });
    if (key) token.keys.unshift(key);
  }

  async erase(event: number): Promise<void> {
    const asked = note(this.history.erases, { event });
    await this.stage.admin.operate('events.erase', { search: String(event), source: this.source });
    asked.answeredAt = Date.now();
  }

  /** As if those that are off had been so for much longer. */
  async age(ms: number): Promise<void> {
    const text = `UPDATE subscription SET stopped_at = stopped_at - interval '${ms} ms' WHERE state = 'off'`;
    // It locks several rows, as no request does.
    await retryOnConflict(() => this.query(text));
  }

  async prune(): Promise<void> {
    await this.age(40 * day);
    await this.stage.admin.prune(30 * day);
  }

  /** All events until now become old, with their attempts. What someone has still to get stays. */
  async pruneEvents(): Promise<void> {
    const own = `source_number = (SELECT number FROM source WHERE name = '${this.source}')`;
    const past = "interval '40 days'";
    const age = `UPDATE event SET received_at = received_at - ${past} WHERE ${own};
      UPDATE attempt SET at = at - ${past} WHERE ${own}`;
    await retryOnConflict(() => this.query(age));
    await this.stage.admin.prune(30 * day);
  }

  query(text: string) {
    const address = named(this.stage.databaseUrl, byHand);
    return onDatabase(address, (client) => client.query(text));
  }

  /** As often as it takes, until there is a response; none for a token that was revoked. */
  async call(token: number, method: string, path: string, body?: object) {
    while (!this.isRevoked({ token, target: 0 })) {
      const response = await this.#send(token, method, path, body);
      if (response) return response;
    }
    return undefined;
  }

  /** Undefined if there was no response, or none that counts. */
  async #send(token: number, method: string, path: string, body?: object) {
    const [key] = this.tokens[token]?.keys ?? [];
    const headers = { authorization: `Bearer ${key?.token}` };
    const url = `${this.stage.next()}/api/v1${path}`;
    const response = await send(url, method, headers, body).catch(() => undefined);
    // The key may have been rotated since the request was sent.
    if (response && response.status < 500 && response.status !== 401) return response;
    await wait(pauseMs);
    return undefined;
  }
}

/** What a target does with its next requests. */
interface Plan {
  failures: number;
  isGone: boolean;
}

/** Programs that get events, at one server. They note each request, and what they respond. */
export class Targets {
  readonly plans: readonly Plan[];
  readonly #listening: Listening;

  private constructor(plans: readonly Plan[], listening: Listening) {
    this.plans = plans;
    this.#listening = listening;
  }

  static async start(count: number, random: SeededRandom, arrivals: Arrival[]): Promise<Targets> {
    const plans: Plan[] = Array.from({ length: count }, () => ({ failures: 0, isGone: false }));
    const listening = await listen(
      createServer(async (request, response) => {
        const at = Date.now();
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const target = Number(request.url?.slice(1));
        const plan = plans[target];
        if (!plan || request.method === 'DELETE') return void response.writeHead(204).end();
        const { headers } = request;
        const arrival: Arrival = {
          ...{ target, at, status: 0 },
          signature: String(headers['x-service-signature']),
          webhookId: String(headers['webhook-id']),
          body: Buffer.concat(chunks).toString(),
        };
        arrivals.push(arrival);
        await wait(random.integer(0, 15));
        plan.failures -= 1;
        arrival.status = plan.isGone ? 410 : plan.failures >= 0 ? 500 : 200;
        response.writeHead(arrival.status).end('what the target responds');
      }),
    );
    return new Targets(plans, listening);
  }

  urlOf(target: number): string {
    return `http://127.0.0.1:${this.#listening.port}/${target}`;
  }

  /** The next requests, each once. */
  fail(target: number, failures: number): void {
    Object.assign(this.plans[target] ?? {}, { failures });
  }

  /** Every request is accepted from now on. */
  repair(): void {
    for (const plan of this.plans) Object.assign(plan, { failures: 0, isGone: false });
  }

  close(): Promise<void> {
    return this.#listening.close();
  }
}
