import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** A request as it came to a place of the service. */
export interface Received {
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handle = (received: Received, response: ServerResponse) => Promise<void>;

/** Base URLs where no service can be reached. */
export interface DeadEnds {
  readonly closedPort: string;
  readonly unknownHost: string;
  readonly selfSigned: string;
  readonly noTls: string;
}

const base = '/api/v1';
/** Too long for a label, so it is refused on this machine, without a question to the network. */
const unknownHost = `https://${'x'.repeat(64)}.example${base}`;

/**
 * One server with a place for each test that runs beside the others: `/7/api/v1` is the base URL
 * of the seventh. What is asked for outside of every place is kept as `strayed`.
 */
export class HostileService {
  readonly strayed: Received[] = [];
  readonly #places = new Map<string, Handle>();
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  #secure = createSecureServer();
  #lastPlace = 0;
  #closedPort = 0;

  async start(): Promise<void> {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    this.#secure = createSecureServer({ key, cert }, (_request, response) => response.end());
    // A slow machine takes its time: no connection is closed for that.
    for (const server of [this.#server, this.#secure]) {
      Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
    }
    const unused = createServer();
    this.#closedPort = await listening(unused);
    await closed(unused);
    await Promise.all([listening(this.#server), listening(this.#secure)]);
  }

  async stop(): Promise<void> {
    await Promise.all([closed(this.#server), closed(this.#secure)]);
  }

  get origin(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  get deadEnds(): DeadEnds {
    return {
      closedPort: `http://127.0.0.1:${this.#closedPort}${base}`,
      unknownHost,
      selfSigned: `https://127.0.0.1:${portOf(this.#secure)}${base}`,
      noTls: `https://127.0.0.1:${portOf(this.#server)}${base}`,
    };
  }

  /** Sockets that are open now. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /** The base URL of a new place, and how to leave it. */
  open(handle: Handle): { baseUrl: string; leave: () => void } {
    this.#lastPlace += 1;
    const place = String(this.#lastPlace);
    this.#places.set(place, handle);
    return {
      baseUrl: `${this.origin}/${place}${base}`,
      leave: () => this.#places.delete(place),
    };
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const [, place = '', path = ''] = /^\/(\d+)\/api\/v1(\/.*)$/.exec(url) ?? [];
    const handle = this.#places.get(place);
    if (handle) return handle({ method, path, headers, body }, response);
    // On a busy machine, a request may arrive after its test has left its place.
    const isLate = place !== '' && Number(place) <= this.#lastPlace;
    if (!isLate) this.strayed.push({ method, path: url, headers, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server);
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
