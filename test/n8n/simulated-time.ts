import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

interface Sleeper {
  readonly wakesAt: number;
  wake(): void;
}

/** Stands still until it is advanced. */
interface FrozenClock {
  now(): number;
  advance(ms: number): Promise<unknown>;
}

/**
 * Uses a frozen clock, such as the sandbox's, as the time of the nodes. It jumps to the next sleeper
 * once nothing is running any more, so waiting a minute takes a moment, and a limit passes only where
 * nothing else is left to wait for.
 */
export class SimulatedTime {
  readonly #clock: FrozenClock;
  readonly #sleepers = new Set<Sleeper>();
  #isPassing = false;

  constructor(clock: FrozenClock) {
    this.#clock = clock;
  }

  readonly now = (): number => this.#clock.now();

  /** Sets the clock of n8n's machine by this many milliseconds. */
  setByMs = 0;

  readonly date = (): number => this.now() + this.setByMs;

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = {
        wakesAt: this.now() + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
      this.#sleepers.add(sleeper);
      if (!this.#isPassing) void this.#pass();
    });

  async #pass(): Promise<void> {
    this.#isPassing = true;
    while (this.#sleepers.size > 0) {
      await this.#untilQuiet();
      const next = Math.min(...[...this.#sleepers].map(({ wakesAt }) => wakesAt));
      if (!Number.isFinite(next)) break;
      await this.#clock.advance(Math.max(0, next - this.now()));
      for (const sleeper of [...this.#sleepers]) {
        if (sleeper.wakesAt <= this.now()) sleeper.wake();
      }
    }
    this.#isPassing = false;
  }

  async #untilQuiet(): Promise<void> {
    do await settled(() => `${inFlight} ${sent}`);
    while (inFlight > 0);
  }
}

let inFlight = 0;
let sent = 0;

const channel = 'http.client.request.start';

function note(message: unknown): void {
  const { request } = message as { request: ClientRequest };
  inFlight += 1;
  sent += 1;
  request.once('close', () => {
    inFlight -= 1;
  });
}

subscribe(channel, note);
// A worker has one channel for all of its test files, each with its own copy of this module. Jest's
// hook is missing where a script runs a node.
const { afterAll } = globalThis as { afterAll?: (end: () => void) => void };
afterAll?.(() => unsubscribe(channel, note));

/** Requests that this process has sent through `node:http` and whose response is incomplete. */
export const requestsInFlight = (): number => inFlight;

/** After this many turns of the event loop without a change, no more work is expected. */
const quietTurns = 20;

/** Waits, without a sleep, until the result of `look` stops changing. */
export async function settled(look: () => unknown): Promise<void> {
  let before = look();
  for (let quiet = 0; quiet < quietTurns; ) {
    await nextTurn();
    const now = look();
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}
