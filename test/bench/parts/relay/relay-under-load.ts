import { randomUUID } from 'node:crypto';
import { type EventName, events, signWebhook } from '@screen-advertising/core';
import type { RelayOptions } from '@screen-advertising/relay';
import { Pool } from 'undici';
import { besides, startWorker } from '../../lib/worker.ts';
import { now } from './now.ts';
import type { Access, Order } from './relay-process.ts';

/** A relay in a process of its own, with what the service and a subscriber ask of it. */
export class RelayUnderLoad {
  readonly databaseUrl: string;
  readonly #worker = startWorker<Order, Access>(besides(import.meta.url, 'relay-process.ts'));
  #access: Access | undefined;
  #requests: Pool | undefined;

  constructor(databaseUrl: string) {
    this.databaseUrl = databaseUrl;
  }

  async start(options: Pick<RelayOptions, 'role' | 'lanes'> = {}): Promise<void> {
    this.#access = await this.#worker.ask({ databaseUrl: this.databaseUrl, ...options });
    await this.#requests?.close();
    this.#requests = new Pool(this.#access.url);
  }

  /** Ends the attempts under way first. */
  async stop(): Promise<void> {
    await this.#worker.ask('stop');
  }

  kill(): void {
    void this.#requests?.destroy();
    this.#worker.stop();
  }

  async subscribe(urls: readonly string[], type: EventName): Promise<void> {
    for (const target_url of urls) {
      const body = JSON.stringify({ target_url, events: [type] });
      await this.#request('PUT', '/api/v1/subscriptions', this.#signIn(), body);
    }
  }

  /** An event as the service delivers it; resolves with its response. */
  async deliver(type: EventName): Promise<void> {
    const data = { ...events[type].sample, sent_at: now() };
    const body = JSON.stringify({ id: randomUUID(), type, data });
    const timestamp = Math.floor(Date.now() / 1000);
    const { secret } = this.#running();
    const signature = signWebhook({ body, secret, timestamp });
    await this.#request('POST', '/in/main', { 'x-service-signature': signature }, body);
  }

  async get(path: string): Promise<void> {
    await this.#request('GET', `/api/v1${path}`, this.#signIn());
  }

  #signIn(): Record<string, string> {
    return { authorization: `Bearer ${this.#running().token}` };
  }

  #running(): Access {
    if (!this.#access) throw new Error('The relay was not started.');
    return this.#access;
  }

  async #request(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    headers: Record<string, string>,
    body: string | null = null,
  ): Promise<void> {
    const response = await this.#requests?.request({ method, path, headers, body });
    const text = await response?.body.text();
    if (!response || response.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
  }
}
