import { afterEach, beforeEach, expect } from '@jest/globals';
import {
  apiKey,
  type Client,
  type ClientOptions,
  createClient,
  nodeTransport,
  type Transport,
} from '@screen-advertising/core';
import { useScripted } from './scripted-service.ts';
import { SimulatedClock } from './simulated-clock.ts';

export const key = 'svc_key_of_the_tests';

/**
 * A scripted service, real clients that call it, and a clock, for the tests of a file. After each
 * nothing may be left waiting.
 */
export class Bench {
  readonly service = useScripted();
  /** New for each test. Clients share nothing with those of another clock. */
  clock = new SimulatedClock();
  #inFlight = 0;

  constructor() {
    beforeEach(() => {
      this.clock = new SimulatedClock(() => this.#inFlight <= this.service.held);
    });
    afterEach(async () => {
      await this.clock.settle();
      expect(this.clock.sleeping).toBe(0);
    });
  }

  /** Sends over real HTTP, on the bench's clock. */
  get transport(): Transport {
    const { send } = nodeTransport();
    return {
      clock: this.clock,
      send: (request) => {
        this.#inFlight += 1;
        return send(request).finally(() => {
          this.#inFlight -= 1;
        });
      },
    };
  }

  client(options: Partial<ClientOptions> = {}): Client {
    const { transport, service } = this;
    return createClient({ baseUrl: service.baseUrl, auth: apiKey(key), transport, ...options });
  }
}

export const useBench = (): Bench => new Bench();
