import type { Pool } from 'pg';
import { Batches } from '../log/database/batches.ts';
import { retryConflict } from '../log/database/retry-conflict.ts';
import type { DeliveryState, ResponseRecord } from '../log/database/stored-values.ts';
import { resultStatement as text } from './result-statement.ts';
import type { Move } from './work.ts';

/** An attempt and its effect on the delivery. */
export interface Result {
  readonly source: number;
  /** Of the event in the log. */
  readonly position: string;
  /** The event's ID. */
  readonly event: string;
  readonly subscription: number;
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly attemptsSinceReplay: number;
  readonly replays: number;
  readonly at: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly response: ResponseRecord | null;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly nextAt: Date | null;
  /** Whether to report it. */
  readonly isProblem: boolean;
}

/** What belongs into one transaction. */
export interface Written {
  readonly result?: Result;
  readonly moves: readonly Move[];
}

const maxResults = 500;
/** If the process dies, the deliveries of this interval are sent twice. */
const lingerMs = 25;

/** Writes the results of all subscriptions of a process in batches. */
export class AttemptWriter {
  readonly #batches: Batches<Written, void>;

  constructor(pool: Pool) {
    const write = async (all: readonly Written[]) => {
      const results = all.flatMap(({ result }) => result ?? []);
      const moves = merged(all.flatMap((one) => one.moves));
      const values = [results, movesOf(moves, 'log'), movesOf(moves, 'job')].map((rows) =>
        JSON.stringify(rows),
      );
      await retryConflict(() => pool.query({ name: 'write-results', text, values }));
      return [];
    };
    this.#batches = new Batches(write, { most: maxResults, lingerMs });
  }

  /** Resolves once it is in the database. */
  write(written: Written): Promise<void> {
    return this.#batches.add(written);
  }

  /**
   * Resolves while the database keeps up. Otherwise results of hundreds of subscriptions would pile
   * up, and one with a single event would wait until all of them are written.
   */
  room(): Promise<void> {
    return this.#batches.room();
  }

  /** For a caller that waits for its results. */
  flush(): void {
    this.#batches.flush();
  }
}

/** One move of each reader, from the first position to the last. */
function merged(moves: readonly Move[]): readonly Move[] {
  const byReader = Map.groupBy(moves, ({ reader }) => `${reader.kind} ${reader.number}`);
  return [...byReader.values()].map((all) => ({
    ...(all[0] as Move),
    to: (all.at(-1) as Move).to,
  }));
}

function movesOf(moves: readonly Move[], kind: Move['reader']['kind']) {
  return moves.flatMap(({ reader, ...move }) =>
    reader.kind === kind ? { ...reader, ...move } : [],
  );
}
