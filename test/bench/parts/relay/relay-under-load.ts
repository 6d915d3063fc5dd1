import { randomUUID } from 'node:crypto';
import { type EventName, events, signWebhook } from '@screen-advertising/core';
import type { RelayOptions } from '@screen-advertising/relay';
import { Pool } from 'undici';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import { now } from './load.ts';
import type { Access, Order } from './relay-process.ts';

/** A relay in a separate process, with the requests of the service and a subscriber. */
export class RelayUnderLoad {
  readonly #databaseUrl: string;
  readonly #worker = startWorker<Order, Access>(siblingPath(import.meta.url, 'relay-process.ts'));
  #running: (Access & { readonly requests: Pool }) | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async start(options: Pick<RelayOptions, 'role' | 'internal'> = {}): Promise<void> {
    const access = await this.#worker.ask({ databaseUrl: this.#databaseUrl, ...options });
    this.#running = { ...access, requests: new Pool(access.url) };
  }

  /** Ends the attempts under way first. */
  async stop(): Promise<void> {
    await this.#running?.requests.close();
    await this.#worker.ask('stop');
  }

  kill(): void {
    void this.#running?.requests.destroy();
    this.#worker.stop();
  }

  async subscribe(urls: readonly string[], type: EventName): Promise<void> {
    for (const target_url of urls) {
      await this.call('PUT', '/subscriptions', { target_url, events: [type] });
    }
  }

  /** A request of the API. */
  async call(method: Sent['method'], path: string, body?: object): Promise<void> {
    const { requests, token } = this.#access();
    const headers = { authorization: `Bearer ${token}` };
    const text = body && JSON.stringify(body);
    await send(requests, { method, path: `/api/v1${path}`, headers, body: text });
  }

  deliver(type: EventName): Promise<void> {
    const { requests, secret } = this.#access();
    return deliver(requests, secret, type);
  }

  #access() {
    if (!this.#running) throw new Error('The relay was not started.');
    return this.#running;
  }
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** Rejects unless the response is a success. */
async function send(requests: Pool, { method, path, headers, body = '' }: Sent): Promise<void> {
  const response = await requests.request({ method, path, headers, body: body || null });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
}

/** An event as the service delivers it. */
export async function deliver(requests: Pool, secret: string, type: EventName): Promise<void> {
  const data = { ...events[type].sample, sent_at: now() };
  const body = JSON.stringify({ id: randomUUID(), type, data });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = { 'x-service-signature': signWebhook({ body, secret, timestamp }) };
  await send(requests, { method: 'POST', path: '/in/main', headers, body });
}
