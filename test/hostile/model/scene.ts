import {
  apiKey,
  type Client,
  clientCredentials,
  createClient,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { createSandbox, type Sandbox, type Snapshot } from '@screen-advertising/sandbox';
import { SimulatedClock } from '../../shared/support/simulated-clock.ts';

export type Credentials = 'API key' | 'client credentials';

/** Few enough to be used up by a handful of commands. */
export const serviceLimit = { requests: 25, perMs: 60_000 } as const;

interface Arrival {
  readonly at: number;
  readonly isToken: boolean;
}

/** What can become of one request. */
export const failures = [
  'refused',
  'lost before',
  'lost after',
  'timeout after',
  '500 after',
  '503 before',
  '503 after',
  '429 for 7 s',
  '401',
  'HTML',
  'cut off',
] as const;

export type Failure = (typeof failures)[number] | 'none';

const problem = (status: number, headers: Record<string, string> = {}): TransportResponse => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ type: 'about:blank', title: 'Trouble', status, detail: 'A failure.' }),
});

const noAnswer = (code: 'network_error' | 'timeout', sent: 'no' | 'maybe'): TransportError =>
  new TransportError('No answer came.', { code, sent });

/** Meets a request with failure. The second argument lets the service do its work. */
async function meet(
  failure: Failure,
  answer: () => Promise<TransportResponse>,
): Promise<TransportResponse> {
  switch (failure) {
    case 'none':
      return answer();
    case 'refused':
      throw noAnswer('network_error', 'no');
    case 'lost before':
      throw noAnswer('network_error', 'maybe');
    case 'lost after':
      await answer();
      throw noAnswer('network_error', 'maybe');
    case 'timeout after':
      await answer();
      throw noAnswer('timeout', 'maybe');
    case '500 after':
      await answer();
      return problem(500);
    case '503 before':
      return problem(503);
    case '503 after':
      await answer();
      return problem(503);
    case '429 for 7 s':
      return problem(429, { 'retry-after': '7' });
    case '401':
      return problem(401);
    case 'HTML':
      return { ...(await answer()), body: '<!doctype html><h1>Sign in</h1>' };
    case 'cut off': {
      const whole = await answer();
      return { ...whole, body: whole.body.slice(0, whole.body.length / 2) };
    }
  }
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

/** What must hold after every command, whatever it was. */
export function checkPromises(scene: Scene): void {
  if (scene.isLimitExceeded) throw new Error('The service had to refuse a request over its limit.');
  const times = (isToken: boolean): number[] =>
    scene.arrivals.filter((arrival) => arrival.isToken === isToken).map(({ at }) => at);
  checkWindow('requests', times(false), serviceLimit.requests);
  checkWindow('token requests', times(true), tokenEndpoint.requestsPerMinute);
  const tokens = times(true).length;
  if (tokens > scene.tokensNeeded) {
    throw new Error(`${tokens} tokens were asked for where ${scene.tokensNeeded} were needed.`);
  }
  for (const lead of new Set(scene.sandbox.coupons.list().map(({ lead_email }) => lead_email))) {
    const active = scene.sandbox.coupons
      .list()
      .filter((coupon) => coupon.lead_email === lead && !coupon.revoked_at && !coupon.redeemed_at);
    if (active.length > 1) throw new Error(`${lead} has ${active.length} active coupons.`);
  }
}

function checkWindow(what: string, times: readonly number[], most: number): void {
  times.forEach((at, index) => {
    const before = times[index - most];
    if (before !== undefined && at - before < serviceLimit.perMs) {
      throw new Error(`More than ${most} ${what} in a window of 60 s.`);
    }
  });
}
