/** One event to attempt to deliver to a subscription. */
export interface Due {
  /** Of the event in the log. */
  readonly position: string;
  readonly event: string;
  readonly type: string;
  readonly body: Buffer;
  /** Attempts so far. */
  readonly attempts: number;
  readonly attemptsSinceReplay: number;
  /** How often a person asked for it, this time included. */
  readonly replays: number;
  /** When its schedule has the next attempt; null for one that begins a schedule. */
  readonly nextAt: Date | null;
}

/** A reader of a subscription: of the log, or a job, with its number. */
export type Reader =
  | { readonly kind: 'log'; readonly number: number; readonly generation: number }
  | { readonly kind: 'job'; readonly number: string };

/**
 * Everything up to `to` has been attempted. It applies only while the reader is still at `from`, and
 * the subscription was not subscribed again: it may want more since.
 */
export interface Move {
  readonly reader: Reader;
  readonly from: string;
  readonly to: string;
}

/** What a reader read: an event to attempt, or one that it skips. */
export interface Step {
  readonly position: string;
  /** Undefined for an event that has a delivery already, or is not wanted. */
  readonly due: Due | undefined;
}

/** Moves a reader on, in order, whatever the order in which its events are attempted. */
export class Progress {
  readonly #reader: Reader;
  readonly #steps: readonly Step[];
  readonly #end: string;
  readonly #done = new Set<Due>();
  #position: string;
  #next = 0;

  /** `end`: where the reader is after the last step. */
  constructor(reader: Reader, from: string, steps: readonly Step[], end: string) {
    this.#reader = reader;
    this.#position = from;
    this.#steps = steps;
    this.#end = end;
  }

  get due(): readonly Due[] {
    return this.#steps.flatMap(({ due }) => due ?? []);
  }

  /** What follows from this attempt, or from none: nothing while an earlier one is still running. */
  after(due?: Due): readonly Move[] {
    if (due) this.#done.add(due);
    const from = this.#position;
    for (let step = this.#steps[this.#next]; step; step = this.#steps[this.#next]) {
      if (step.due && !this.#done.has(step.due)) break;
      this.#position = step.position;
      this.#next += 1;
    }
    if (this.#next === this.#steps.length) this.#position = this.#end;
    const to = this.#position;
    return from === to ? [] : [{ reader: this.#reader, from, to }];
  }
}
