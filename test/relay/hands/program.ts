import { createServer } from 'node:http';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import type { Hub } from './hub.ts';

/**
 * A program that receives events: it can subscribe, end its subscription, move to another address, and
 * take another key. It never gives up what it missed.
 */
export class Program {
  /** By event number, how often it accepted the event. */
  readonly accepted = new Map<number, number>();
  /** Wants every event that is sent from this number on, once it is subscribed. */
  from = Number.POSITIVE_INFINITY;
  id: string | undefined;
  readonly #hub: Hub;
  readonly #events: readonly string[];
  #token: string;
  #path = 'hook-0';
  #moves = 0;
  #failsNext = 0;
  #listening: Listening | undefined;

  constructor(hub: Hub, token: string, events: readonly string[]) {
    this.#hub = hub;
    this.#token = token;
    this.#events = events;
  }

  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const { type, data } = body === '' ? { type: 'ended' } : JSON.parse(body);
      if (type === 'ended' || request.url !== `/${this.#path}`) {
        response.writeHead(type === 'ended' ? 200 : 410).end();
      } else if (this.#failsNext > 0) {
        this.#failsNext -= 1;
        response.writeHead(500).end();
      } else {
        this.accepted.set(data.number, (this.accepted.get(data.number) ?? 0) + 1);
        response.writeHead(200).end();
      }
    });
    this.#listening = await listen(server);
  }

  async stop(): Promise<void> {
    await this.#listening?.close();
  }

  wants(type: string): boolean {
    return this.#events.includes(type) || this.#events.includes('*');
  }

  /** The next attempts fail, each once. */
  fail(attempts: number): void {
    this.#failsNext = attempts;
  }

  /** Like n8n when it publishes a workflow again. */
  async subscribe(): Promise<void> {
    const { id } = await this.#hub.call(this.#token, 'PUT', '/subscriptions', {
      target_url: this.#target,
      events: this.#events,
      catch_up: true,
      ...(this.id !== undefined && { replaces: this.id }),
    });
    this.id = id;
    this.from = Math.min(this.from, this.#hub.sent);
  }

  async unsubscribe(): Promise<void> {
    await this.#hub.call(this.#token, 'DELETE', `/subscriptions/${this.id}`);
  }

  async publishAgain(): Promise<void> {
    await this.unsubscribe();
    await this.subscribe();
  }

  /** To another address, where it subscribes before its old address is gone. */
  async move(): Promise<void> {
    this.#moves += 1;
    this.#path = `hook-${this.#moves}`;
    await this.subscribe();
  }

  async takeKey(): Promise<void> {
    const { name, token } = await this.#hub.newToken();
    const old = this.#hub.nameOf(this.#token);
    this.#token = token;
    await this.subscribe();
    this.#hub.names.set(token, name);
    if (old !== undefined) await this.#hub.revoke(old);
  }

  async switchOffAndOn(): Promise<void> {
    const at = `/subscriptions/${this.id}`;
    await this.#hub.call(this.#token, 'PATCH', at, { state: 'off' });
    await this.#hub.call(this.#token, 'PATCH', at, { state: 'active' });
  }

  /** Asks for what it had, what is pending, or whatever it did not get. */
  async ask(what: 'redeliver' | 'retry', body: object = {}): Promise<void> {
    await this.#hub.call(this.#token, 'POST', `/subscriptions/${this.id}/${what}`, body);
  }

  get #target(): string {
    return `http://127.0.0.1:${this.#listening?.port}/${this.#path}`;
  }
}
