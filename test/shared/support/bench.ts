import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import {
  apiKey,
  type Client,
  type ClientOptions,
  createClient,
  type Transport,
} from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { ScriptedService } from './scripted-service.ts';
import { SimulatedClock } from './simulated-clock.ts';

export const key = 'svc_key_of_the_tests';

/** A scripted service, real clients that call it, and a clock, all controlled by one test. */
export class Bench {
  readonly service = new ScriptedService();
  readonly #transport = undiciTransport();
  #inFlight = 0;
  clock: SimulatedClock = this.newClock();

  /** Sends over real HTTP, on the bench's clock. */
  get transport(): Transport {
    return {
      clock: this.clock,
      send: async (request) => {
        this.#inFlight += 1;
        try {
          return await this.#transport.send(request);
        } finally {
          this.#inFlight -= 1;
        }
      },
    };
  }

  /** The clock of another process: clients share nothing with those of another clock. */
  newClock(): SimulatedClock {
    return new SimulatedClock(() => this.#inFlight <= this.service.held);
  }

  client(options: Partial<ClientOptions> = {}): Client {
    const { transport, service } = this;
    return createClient({ baseUrl: service.baseUrl, auth: apiKey(key), transport, ...options });
  }

  async start(): Promise<void> {
    await this.service.start();
  }

  begin(): void {
    this.service.reset();
    this.clock = this.newClock();
  }

  async stop(): Promise<void> {
    await this.#transport.close();
    await this.service.stop();
  }
}

export function useBench(): Bench {
  return inTests(new Bench());
}

/** Provides a bench to the tests of one file. After each test nothing may be left waiting. */
export function inTests<Kind extends Bench>(bench: Kind): Kind {
  beforeAll(() => bench.start());
  beforeEach(() => bench.begin());
  afterEach(async () => {
    await bench.clock.settle();
    expect(bench.clock.sleeping).toBe(0);
  });
  afterAll(() => bench.stop());
  return bench;
}
