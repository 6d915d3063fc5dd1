import { apiKey, createClient, type Transport } from '@screen-advertising/core';
import {
  type CallWindow,
  fixedWindow,
  slidingWindow,
} from '../../../packages/sandbox/src/limits/call-window.ts';
import { Random } from '../../../packages/sandbox/src/random.ts';
import { SimulatedClock } from './simulated-clock.ts';

export interface Scenario {
  readonly processes: number;
  /** Calls of each process, all at once. */
  readonly calls: number;
  readonly seed: number;
  /** Milliseconds for the round trip, plus or minus a quarter. */
  readonly latencyMs?: number;
  readonly window?: 'sliding' | 'fixed';
  /** The wait in a 429: the seconds until a request is free, or always a minute. */
  readonly retryAfter?: 'exact' | 'minute';
  /** Milliseconds between the starts of two processes. */
  readonly apartMs?: number;
}

export interface Outcome {
  /** Seconds from the first call to the last response, relative to the minimum possible. */
  readonly ratio: number;
  readonly sent: number;
  readonly refused: number;
  readonly lost: number;
}

const windows = { sliding: slidingWindow, fixed: fixedWindow };
const perMs = 60_000;
const requests = 600;

/**
 * Independent clients on one access of a service that exists only in simulated time. It counts as
 * the sandbox does, without HTTP, so that hours of waiting take a second.
 */
export async function shareAccess(scenario: Scenario): Promise<Outcome> {
  const { processes, calls, seed, window = 'sliding', apartMs = 0 } = scenario;
  const clock = new SimulatedClock();
  const startedAt = clock.now();
  const service = new Service(clock, windows[window](requests, perMs), scenario);
  // The client also draws its pauses from here.
  const { random } = Math;
  const seeded = new Random(seed);
  Math.random = () => seeded.next();
  try {
    const ends = await clock.run(
      Promise.all(
        Array.from({ length: processes }, async (_, nth) => {
          await clock.sleep(nth * apartMs);
          return Promise.allSettled(service.process(calls));
        }),
      ),
    );
    const windowsNeeded = Math.ceil((processes * calls) / requests) - 1;
    return {
      ratio: (clock.now() - startedAt) / (windowsNeeded * perMs),
      sent: service.sent,
      refused: service.refused,
      lost: ends.flat().filter(({ status }) => status === 'rejected').length,
    };
  } finally {
    Math.random = random;
  }
}

class Service {
  readonly #clock: SimulatedClock;
  readonly #window: CallWindow;
  readonly #scenario: Scenario;
  sent = 0;
  refused = 0;

  constructor(clock: SimulatedClock, window: CallWindow, scenario: Scenario) {
    this.#clock = clock;
    this.#window = window;
    this.#scenario = scenario;
  }

  /** The calls of one process: a client with its own clock shares nothing with the others. */
  process(calls: number): Promise<unknown>[] {
    const clock = this.#clock;
    const transport: Transport = {
      clock: { now: () => clock.now(), sleep: (ms, signal) => clock.sleep(ms, signal) },
      send: () => this.#answer(),
    };
    const baseUrl = 'http://127.0.0.1/api/v1';
    const client = createClient({ baseUrl, auth: apiKey('svc_shared'), transport });
    return Array.from({ length: calls }, (_, nth) =>
      client.users.lookup({ email: `lead-${nth}@example.com` }),
    );
  }

  async #answer() {
    const { latencyMs = 40, retryAfter = 'exact' } = this.#scenario;
    const halfMs = (latencyMs / 2) * (0.75 + Math.random() / 2);
    this.sent += 1;
    await this.#clock.sleep(halfMs);
    const waitMs = this.#window.take('access', this.#clock.now());
    await this.#clock.sleep(halfMs);
    if (waitMs === 0) return { status: 200, headers: {}, body: '{"data":{"exists":false}}' };
    this.refused += 1;
    const seconds = retryAfter === 'exact' ? Math.ceil(waitMs / 1000) : 60;
    return { status: 429, headers: { 'retry-after': String(seconds) }, body: '' };
  }
}
