import {
  apiKey,
  type Client,
  type ClientOptions,
  type Clock,
  clientCredentials,
  createClient,
  type Transport,
  type TransportRequest,
} from '@screen-advertising/core';
import type { Variants } from '@screen-advertising/core/contract';
import { type UndiciTransport, undiciTransport } from '@screen-advertising/core/undici';
import type { PartnerAccess, Sandbox } from '@screen-advertising/sandbox';
import { parseJsonOr } from '../../shared/src/json.ts';
import { type Receiver, startReceiver } from '../sandbox/support/receiver.ts';
import { type Running, start } from '../sandbox/support/running-sandbox.ts';

/** A response as it arrived over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

export interface SendOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A separate sandbox for one row, plain HTTP requests to it, and clients of every kind. */
export class Bench {
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly full: PartnerAccess;
  readonly second: PartnerAccess;
  readonly limited: PartnerAccess;
  /** What the clients sent, in order. */
  readonly sent: TransportRequest[] = [];
  readonly #running: Running;
  readonly #transport: UndiciTransport = undiciTransport();

  private constructor(running: Running) {
    this.#running = running;
    ({
      sandbox: this.sandbox,
      baseUrl: this.baseUrl,
      full: this.full,
      second: this.second,
      limited: this.limited,
    } = running);
  }

  /** Its sandbox is closed after the test. */
  static async open(variants: Partial<Variants>, requests?: number): Promise<Bench> {
    const rateLimit = requests === undefined ? {} : { requests };
    // More than fit on a page.
    return new Bench(await start({ screens: 240, variants, rateLimit }));
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async send(method: string, path: string, options: SendOptions = {}): Promise<Reply> {
    const sent = { token: null, ...options };
    const { status, headers, text } = await this.#running.call(method, path, sent);
    return { status, headers, json: parseJsonOr(text, undefined) };
  }

  /** Uses the API key of the access with every scope, unless given another token. */
  get(path: string, token = this.full.apiKey): Promise<Reply> {
    return this.send('GET', path, { token });
  }

  post(path: string, body?: unknown, token = this.full.apiKey): Promise<Reply> {
    return this.send('POST', path, { token, body });
  }

  async accessToken({ clientId, clientSecret } = this.full): Promise<string> {
    const body = { client_id: clientId, client_secret: clientSecret };
    const reply = await this.send('POST', '/oauth/token', { body });
    return String(at(reply.json, 'access_token'));
  }

  /** Runs on the sandbox's clock, so waiting moves that clock. */
  client(
    kind: 'api-key' | 'client-credentials' = 'api-key',
    options: Partial<ClientOptions> = {},
    access: PartnerAccess = this.full,
  ): Client {
    const clock: Clock = {
      now: () => this.sandbox.clock.now(),
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        await this.sandbox.clock.advance(ms);
      },
    };
    const transport: Transport = {
      clock,
      send: (request) => {
        this.sent.push(request);
        return this.#transport.send(request);
      },
    };
    const { clientId, clientSecret } = access;
    const auth =
      kind === 'api-key' ? apiKey(access.apiKey) : clientCredentials({ clientId, clientSecret });
    return createClient({ baseUrl: this.baseUrl, auth, transport, ...options });
  }

  /** A webhook of the access with every scope (or another), which responds with these statuses first. */
  async receiver(answers: number[] = [], access: PartnerAccess = this.full): Promise<Receiver> {
    const receiver = await startReceiver(answers);
    this.sandbox.webhooks.add({ access: access.id, url: receiver.url });
    return receiver;
  }
}

/** The member of a response at this path; undefined when it does not exist. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inside, name) => (inside as Record<string | number, unknown> | null | undefined)?.[name],
    value,
  );
}
