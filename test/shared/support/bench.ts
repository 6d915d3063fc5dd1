import { afterEach, beforeEach, expect } from '@jest/globals';
import {
  apiKey,
  type Client,
  type ClientOptions,
  createClient,
  nodeTransport,
  type Transport,
} from '@screen-advertising/core';
import { ScriptedService, useScripted } from './scripted-service.ts';
import { SimulatedClock } from './simulated-clock.ts';

export const key = 'svc_key_of_the_tests';

/** A scripted service, real clients that call it, and a clock, all controlled by one test. */
export class Bench {
  readonly service = new ScriptedService();
  /** New for each test. Clients share nothing with those of another clock. */
  clock = new SimulatedClock();
  #inFlight = 0;

  begin(): void {
    this.clock = new SimulatedClock(() => this.#inFlight <= this.service.held);
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

/** For the tests of a file. After each nothing may be left waiting. */
export function useBench<Kind extends Bench = Bench>(bench = new Bench() as Kind): Kind {
  useScripted(bench.service);
  beforeEach(() => bench.begin());
  afterEach(async () => {
    await bench.clock.settle();
    expect(bench.clock.sleeping).toBe(0);
  });
  return bench;
}
