import {
  apiKey,
  type Client,
  clientCredentials,
  createClient,
  type TransportRequest,
  type TransportResponse,
} from '@screen-advertising/core';
import { createSandbox, type Sandbox, type Snapshot } from '@screen-advertising/sandbox';
import { SimulatedClock } from '../../shared/support/simulated-clock.ts';
import { type Failure, meet } from './failures.ts';

export type Credentials = 'API key' | 'client credentials';

/** Few enough to be used up by a handful of commands. */
export const serviceLimit = { requests: 25, perMs: 60_000 } as const;

interface Arrival {
  readonly at: number;
  readonly isToken: boolean;
}

const startAt = Date.UTC(2027, 2, 1, 9);

/** One service for all sequences, which is put back before each of them. */
export class Stage {
  readonly sandbox: Sandbox = createSandbox({
    clock: 'frozen',
    startAt,
    screens: 12,
    rateLimit: { requests: serviceLimit.requests },
  });
  readonly #start: Snapshot = this.sandbox.snapshot();

  begin(credentials: Credentials): Scene {
    this.sandbox.restore(this.#start);
    return new Scene(this.sandbox, credentials);
  }
}

/** The service, a client and the time of one sequence, and all that was sent. */
export class Scene {
  readonly sandbox: Sandbox;
  readonly client: Client;
  readonly arrivals: Arrival[] = [];
  readonly #clock: SimulatedClock;
  /** What becomes of the requests to come; later ones meet none. */
  #failures: Failure[] = [];
  #inFlight = 0;
  #agreed: Promise<void> = Promise.resolve();
  /** How often a token had to be asked for: at first, and whenever one was lost, refused or old. */
  tokensNeeded = 1;
  #tokenUntil = Number.POSITIVE_INFINITY;
  /** The service itself found that the limit was exceeded. */
  isLimitExceeded = false;

  constructor(sandbox: Sandbox, credentials: Credentials) {
    this.sandbox = sandbox;
    this.#clock = new SimulatedClock(() => this.#inFlight === 0, sandbox.clock.now());
    const [access] = sandbox.accesses;
    this.client = createClient({
      baseUrl: 'http://127.0.0.1/api/v1',
      auth: credentials === 'API key' ? apiKey(access.apiKey) : clientCredentials(access),
      transport: { clock: this.#clock, send: (request) => this.#send(request) },
      rateLimit: serviceLimit,
    });
  }

  /** Lets the work happen with these failures, however long it takes. */
  async run<T>(failures: readonly Failure[], work: () => Promise<T>): Promise<T> {
    this.#failures = [...failures];
    try {
      return await this.#clock.run(work());
    } finally {
      this.#failures = [];
    }
  }

  async pass(ms: number): Promise<void> {
    await this.#clock.advance(ms);
    await this.#agree();
  }

  async #send(request: TransportRequest): Promise<TransportResponse> {
    this.#inFlight += 1;
    try {
      const isToken = request.url.endsWith('/oauth/token');
      const failure = this.#failures.shift() ?? 'none';
      await this.#agree();
      const at = this.#clock.now();
      if (failure !== 'refused') this.arrivals.push({ at, isToken });
      if (isToken) this.#tokenAskedFor(at, failure);
      else if (failure === '401') this.tokensNeeded += 1;
      return await meet(failure, () => this.#answer(request, isToken));
    } finally {
      this.#inFlight -= 1;
    }
  }

  #tokenAskedFor(at: number, failure: Failure): void {
    if (at > this.#tokenUntil) this.tokensNeeded += 1;
    if (failure !== 'none') this.tokensNeeded += 1;
    this.#tokenUntil = at + 3_600_000 - 130_000;
  }

  async #answer(request: TransportRequest, isToken: boolean): Promise<TransportResponse> {
    const { method, url, headers, body } = request;
    const response = await this.sandbox.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    if (response.status === 429) this.isLimitExceeded = true;
    if (response.status === 401 && !isToken) this.tokensNeeded += 1;
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  }

  /** Keeps both clocks in step, however many requests run at once. */
  #agree(): Promise<void> {
    this.#agreed = this.#agreed.then(async () => {
      const ahead = this.#clock.now() - this.sandbox.clock.now();
      if (ahead > 0) await this.sandbox.clock.advance(ahead);
    });
    return this.#agreed;
  }
}
