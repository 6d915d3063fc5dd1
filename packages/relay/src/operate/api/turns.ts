import { setTimeout as wait } from 'node:timers/promises';
import { ProblemResponseError } from '../../log/http/problems.ts';

/** As long as the query of one may take. */
const maxWaitMs = 5_000;
/** After one that took 5 ms, fifty a second remain. */
const pausePerMs = 3;
const maxPauseMs = 1_000;

/**
 * Lets the reads, or the writes, of a token run one at a time. While others wait, each is followed by
 * a pause of three times as long as it took: so many of one token leave connections and the processor
 * to deliveries and to other tokens, and a client that reads page after page never waits.
 */
export class Turns {
  readonly #kind: 'reads' | 'writes';
  /** How to start those that wait, by token. Has an entry while one of the token runs. */
  readonly #waiting = new Map<number, Set<() => void>>();

  constructor(kind: 'reads' | 'writes') {
    this.#kind = kind;
  }

  /** Rejects with a 503 if the turn does not come within 5 s. */
  async run<Result>(token: number, work: () => Promise<Result>): Promise<Result> {
    const waiting = this.#waiting.get(token);
    if (waiting) await turnOf(waiting, this.#kind);
    else this.#waiting.set(token, new Set());
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      void this.#startNext(token, performance.now() - startedAt);
    }
  }

  async #startNext(token: number, tookMs: number): Promise<void> {
    const waiting = this.#waiting.get(token);
    if (waiting?.size) await wait(Math.min(pausePerMs * tookMs, maxPauseMs));
    const [next] = waiting ?? [];
    if (next) next();
    else this.#waiting.delete(token);
  }
}

function turnOf(waiting: Set<() => void>, kind: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      waiting.delete(start);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(start);
      reject(tooManyAtOnce(kind));
    }, maxWaitMs);
    waiting.add(start);
  });
}

function tooManyAtOnce(kind: string): ProblemResponseError {
  return new ProblemResponseError(
    'unavailable',
    `The relay stopped this request after 5 s, because it runs the ${kind} of a token one at a time, and others came first. Send fewer at once, then retry.`,
  );
}
