import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { signWebhook } from '@screen-advertising/core';
import type { Relay } from '@screen-advertising/relay';
import { sourceSecret } from '../support/running-relay.ts';
import { leftToDeliver } from './left-to-deliver.ts';

const pauseMs = 20;
/** A relay may learn of a rotation by another process a second later. */
const maxRefusals = 500;

/** They may be others after a backup is restored. */
export interface Relays {
  readonly urls: readonly string[];
  /** One that need not listen. */
  readonly admin: Relay;
  readonly databaseUrl: string;
}

/** The relays of one database, the service that delivers to them, and their operator. */
export class Hub {
  /** Events that the service has begun to deliver. */
  sent = 0;
  /** Types of the acknowledged events, by number. */
  readonly acknowledged = new Map<number, string>();
  readonly names = new Map<string, string>();
  /** What the service signs with. */
  secret: string;
  #calls = 0;
  #isOver = false;
  #rotating = Promise.resolve();
  #pause = Promise.resolve();
  #delivering = 0;
  readonly #relays: Relays;
  /** Another hub may have delivered to the same relays. */
  readonly #name = randomUUID();

  constructor(relays: Relays, secret = sourceSecret) {
    this.#relays = relays;
    this.secret = secret;
  }

  async newToken(): Promise<{ readonly name: string; readonly token: string }> {
    const { name, token } = await this.operate(async () => {
      // A retry takes another name, since the first may exist.
      const another = `program-${Math.random()}`;
      return { name: another, ...(await this.admin.tokens.create('main', another)) };
    });
    this.names.set(token, name);
    return { name, token };
  }

  get admin(): Relay {
    return this.#relays.admin;
  }

  nameOf(token: string): string | undefined {
    return this.names.get(token);
  }

  /** A retry may find it revoked already. */
  async revoke(name: string): Promise<void> {
    await this.operate(
      () => this.admin.tokens.revoke('main', name),
      () => this.admin.tokens.revoke('main', name).catch(isRevoked),
    );
  }

  /** What the operator does, as often as it takes while the database is away. */
  async operate<Result>(act: () => Promise<Result>, again = act): Promise<Result> {
    for (let next = act; ; next = again) {
      try {
        return await next();
      } catch {
        await wait(pauseMs);
      }
    }
  }

  /** A request of a connector, which tries the next relay while one is down. */
  async call(token: string, method: string, at: string, body?: object) {
    for (;;) {
      const url = this.#next();
      const response = await fetch(`${url}/api/v1${at}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response?.ok) return text ? JSON.parse(text) : undefined;
      const status = response?.status ?? 503;
      // A retry may find it done already, or the subscription off.
      if (method !== 'PUT' && [404, 409].includes(status)) return undefined;
      if (status !== 429 && status < 500) throw new Error(`${method} ${at}: ${status} ${text}`);
      await wait(pauseMs);
    }
  }

  /** Delivers events of these types, in turn, several at a time, each after a pause, until it is over. */
  async deliver(types: readonly [string, ...string[]], atOnce: number, pauseMs = 0): Promise<void> {
    const work = async () => {
      while (!this.#isOver) {
        await this.#pause;
        const number = this.sent;
        this.sent += 1;
        const type = types[number % types.length] ?? types[0];
        this.#delivering += 1;
        await this.#deliver(number, type);
        this.#delivering -= 1;
        this.acknowledged.set(number, type);
        if (pauseMs > 0) await wait(pauseMs);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  /** Without an event on its way. */
  async pausedFor(act: () => Promise<void>): Promise<void> {
    const pause = Promise.withResolvers<void>();
    this.#pause = pause.promise;
    while (this.#delivering > 0) await wait(pauseMs);
    await act();
    pause.resolve();
  }

  /** Until the service has begun to deliver ten more. */
  async moreEvents(): Promise<void> {
    const until = this.sent + 10;
    while (this.sent < until && !this.#isOver) await wait(pauseMs);
  }

  end(): void {
    this.#isOver = true;
  }

  /** While PostgreSQL is away, it may have something left. */
  leftToDeliver(): Promise<boolean> {
    return this.operate(() => leftToDeliver(this.#relays.databaseUrl));
  }

  /** Twice in a row, like a double click. The service signs with the old one for a while. */
  rotateSecret(): Promise<void> {
    this.#rotating = this.#rotating.then(() => this.#rotate());
    return this.#rotating;
  }

  async #rotate(): Promise<void> {
    const secret = `another-signing-secret-${Math.random()}`;
    for (const _ of ['first', 'second']) {
      await this.operate(() => this.admin.sources.rotate('main', secret));
    }
    await this.moreEvents();
    this.secret = secret;
    // A secret that has never verified a delivery may be displaced by the next.
    await this.moreEvents();
  }

  async #deliver(number: number, type: string): Promise<void> {
    for (let refusals = 0; ; ) {
      const body = JSON.stringify({ id: `evt_${this.#name}_${number}`, type, data: { number } });
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = signWebhook({ body, secret: this.secret, timestamp });
      const response = await fetch(`${this.#next()}/in/main`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-signature': signature },
        body,
      }).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
      if (response?.ok) return;
      if (response?.status === 401) refusals += 1;
      if (refusals > maxRefusals) throw new Error('The relay refuses the service.');
      await wait(pauseMs);
    }
  }

  #next(): string {
    this.#calls += 1;
    const { urls } = this.#relays;
    return urls[this.#calls % urls.length] ?? '';
  }
}

function isRevoked(error: unknown): void {
  if ((error as { code?: string }).code !== 'not_found') throw error;
}
