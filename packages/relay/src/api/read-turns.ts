import { setTimeout as wait } from 'node:timers/promises';
import { ProblemResponseError } from '../http/problem-response-error.ts';

/** As long as the query of a read may take. */
const longestWaitMs = 5_000;
/** After a read that took 5 ms, fifty reads a second remain. */
const pausePerMs = 3;
const longestPauseMs = 1_000;

/**
 * Lets the reads of a token run one at a time. While others wait, each is followed by a pause of three
 * times as long as it took: so many readers of one token leave the processor to deliveries and to
 * other tokens, and a client that reads page after page never waits.
 */
export class ReadTurns {
  /** How to start the reads that wait, by token. Has an entry while a read of the token runs. */
  readonly #waiting = new Map<number, Set<() => void>>();

  /** Rejects with a 503 if the turn does not come within 5 s. */
  async run<Result>(token: number, read: () => Promise<Result>): Promise<Result> {
    const waiting = this.#waiting.get(token);
    if (waiting) await turnOf(waiting);
    else this.#waiting.set(token, new Set());
    const startedAt = performance.now();
    try {
      return await read();
    } finally {
      void this.#startNext(token, performance.now() - startedAt);
    }
  }

  async #startNext(token: number, tookMs: number): Promise<void> {
    const waiting = this.#waiting.get(token);
    if (waiting?.size) await wait(Math.min(pausePerMs * tookMs, longestPauseMs));
    const [next] = waiting ?? [];
    if (next) next();
    else this.#waiting.delete(token);
  }
}

function turnOf(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      waiting.delete(start);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(start);
      reject(tooManyAtOnce());
    }, longestWaitMs);
    waiting.add(start);
  });
}

function tooManyAtOnce(): ProblemResponseError {
  return new ProblemResponseError(
    503,
    'unavailable',
    'The relay stopped this request after 5 s, because it runs the reads of a token one at a time, and others came first. Send fewer at once, then retry.',
    { 'retry-after': '5' },
  );
}
