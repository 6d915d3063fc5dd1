import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';

export interface Received {
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** One response of a script: what to send, or some failure in place of a response. */
export type Step =
  | ScriptedResponse
  | ((response: ServerResponse, service: ScriptedService, received: Received) => void);

/** A service on this machine with scripted responses, which records its requests. */
export class ScriptedService {
  readonly #server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      this.#answer({ method, path: url.slice('/api/v1'.length), headers, body }, response);
    });
  });
  readonly #steps = new Map<string, Step[]>();
  readonly #held = new Set<ServerResponse>();
  received: Received[] = [];

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  stop(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/api/v1`;
  }

  /** Number of requests that wait for the test to send their response. */
  get held(): number {
    return this.#held.size;
  }

  /** Responds to requests such as `GET /screens` with the steps, then always with the last. */
  on(route: string, ...steps: readonly Step[]): void {
    this.#steps.set(route, [...steps]);
  }

  /** The requests for a route such as `GET /screens`, whatever their query. */
  receivedFor(route: string): Received[] {
    return this.received.filter((received) => routeOf(received) === route);
  }

  reset(): void {
    this.#steps.clear();
    this.received = [];
    for (const response of this.#held) response.destroy();
    this.#held.clear();
  }

  /** Leaves a request without a response until the test sends one or closes it. */
  hold(response: ServerResponse): void {
    this.#held.add(response);
    response.on('close', () => this.#held.delete(response));
  }

  release(response: ServerResponse, answer: ScriptedResponse): void {
    this.#held.delete(response);
    send(response, answer);
  }

  #answer(received: Received, response: ServerResponse): void {
    this.received.push(received);
    const steps = this.#steps.get(routeOf(received)) ?? [];
    const [step] = steps.length > 1 ? steps.splice(0, 1) : steps;
    if (typeof step === 'function') step(response, this, received);
    else send(response, step ?? { status: 418, body: `Not scripted: ${routeOf(received)}` });
  }
}

function routeOf({ method, path }: Received): string {
  return `${method} ${path.replace(/\?.*/, '')}`;
}

function send(response: ServerResponse, answer: ScriptedResponse): void {
  const { status = 200, headers = {}, body } = answer;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(isRaw ? body : JSON.stringify(body));
}

/** For the tests of a file, with a new script for each. */
export function useScripted(service = new ScriptedService()): ScriptedService {
  beforeAll(() => service.start());
  beforeEach(() => service.reset());
  afterAll(() => service.stop());
  return service;
}
