import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { createSandbox, type PartnerAccess, type Sandbox } from '@screen-advertising/sandbox';

/** A response as it arrived over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

export interface SendOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Arrival {
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** A webhook receiver whose responses a row controls. */
export interface Receiver {
  readonly url: string;
  readonly arrivals: Arrival[];
  status: number;
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
  readonly #transport: UndiciTransport = undiciTransport();
  readonly #servers: Server[] = [];

  private constructor(sandbox: Sandbox, baseUrl: string) {
    const [full, second, limited] = sandbox.accesses;
    if (!second || !limited) throw new Error('The sandbox has fewer than three accesses.');
    this.sandbox = sandbox;
    this.baseUrl = baseUrl;
    this.full = full;
    this.second = second;
    this.limited = limited;
  }

  static async open(variants: Partial<Variants>, requests?: number): Promise<Bench> {
    const rateLimit = requests === undefined ? {} : { requests };
    const sandbox = createSandbox({ clock: 'frozen', variants, rateLimit });
    const { baseUrl } = await sandbox.listen();
    return new Bench(sandbox, baseUrl);
  }

  async close(): Promise<void> {
    await this.#transport.close();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    await this.sandbox.close();
  }

  async send(method: string, path: string, options: SendOptions = {}): Promise<Reply> {
    const { token, body, headers } = options;
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
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
    const auth = kind === 'api-key' ? apiKey(access.apiKey) : clientCredentials(access);
    return createClient({ baseUrl: this.baseUrl, auth, transport, ...options });
  }

  /** A webhook of the access with every scope (or another) with its own server. */
  async receiver(access: PartnerAccess = this.full): Promise<Receiver> {
    const arrivals: Arrival[] = [];
    const receiver = { url: '', arrivals, status: 200 };
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      arrivals.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(receiver.status).end();
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
