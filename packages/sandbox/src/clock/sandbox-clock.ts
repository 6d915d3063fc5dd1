import { isClockMoment } from '../moments.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { Timeline } from './timeline.ts';

type ClockState = Snapshot['clock'];

/** The sandbox's clock. All dates, expirations and retries of the sandbox follow it. */
export interface SandboxClock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  readonly isFrozen: boolean;
  /** Stops the clock at the current moment. */
  freeze(): void;
  /** Continues from the current moment, at the speed of real time. */
  run(): void;
  /**
   * Advances by `ms`, up to the year 4999. Webhook retries that come due on the way run at their
   * moment. Resolves after the last of them has its response.
   */
  advance(ms: number): Promise<void>;
}

interface Task {
  readonly at: number;
  readonly run: () => Promise<void>;
}

const longestTimer = 2 ** 31 - 1;

/**
 * A clock with scheduled tasks. Dates follow the machine's clock. Durations are measured
 * separately, so that setting the machine's clock delays no rate limit and no retry.
 */
export class ScheduledClock implements SandboxClock {
  /** By due time. There are few at a time, so a plain list is enough. */
  #tasks: Task[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #dates: Timeline;
  readonly #elapsed: Timeline;
  #timer: NodeJS.Timeout | undefined;
  #advancing: Promise<void> = Promise.resolve();

  constructor(mode: 'running' | 'frozen', startAt: number) {
    this.#dates = new Timeline(() => Date.now(), startAt);
    // Whole milliseconds, like dates.
    this.#elapsed = new Timeline(() => Math.floor(performance.now()), startAt);
    if (mode === 'running') return;
    this.freeze();
    // A millisecond may have passed since then.
    this.#dates.set(startAt);
    this.#elapsed.set(startAt);
  }

  now(): number {
    return this.#dates.now();
  }

  /** Milliseconds of this clock that never go backward, for durations. */
  elapsed(): number {
    return this.#elapsed.now();
  }

  get isFrozen(): boolean {
    return this.#dates.frozenAt !== null;
  }

  freeze(): void {
    this.#dates.freeze();
    this.#elapsed.freeze();
    clearTimeout(this.#timer);
  }

  run(): void {
    this.#dates.run();
    this.#elapsed.run();
    this.#arm();
  }

  advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0) {
      return Promise.reject(
        new RangeError(`The clock can only advance by 0 ms or more, not ${ms}.`),
      );
    }
    const moved = this.#advancing.then(() => this.#advanceBy(ms));
    this.#advancing = moved.catch(() => undefined);
    return moved;
  }

  /** Runs a task at a moment of this clock. Returns a function that cancels it. */
  schedule(at: number, task: () => Promise<void>): () => void {
    const added = { at: this.elapsed() + at - this.now(), run: task };
    this.#tasks = [...this.#tasks, added].sort((a, b) => a.at - b.at);
    this.#arm();
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== added);
    };
  }

  /** Registers running work. `advance` waits for it before the clock moves. */
  track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
    return tracked;
  }

  /** Resolves once all tracked work has ended. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  state(): ClockState {
    return { offsetMs: this.#dates.offsetMs, frozenAt: this.#dates.frozenAt };
  }

  restore({ offsetMs, frozenAt }: ClockState): void {
    this.run();
    if (frozenAt !== null) this.freeze();
    this.#dates.set(frozenAt ?? Date.now() + offsetMs);
    this.#arm();
  }

  /** Drops all tasks. */
  clear(): void {
    this.#tasks = [];
    clearTimeout(this.#timer);
  }

  async #advanceBy(ms: number): Promise<void> {
    const target = this.elapsed() + ms;
    const toDate = this.now() - this.elapsed();
    if (!isClockMoment(target + toDate)) {
      throw new ProblemResponseError(
        'invalid-parameter',
        'ms: the clock cannot advance past the year 4999.',
      );
    }
    await this.settle();
    for (let [next] = this.#tasks; next && next.at <= target; [next] = this.#tasks) {
      this.#moveTo(next.at, toDate);
      this.#runDue();
      await this.settle();
    }
    this.#moveTo(target, toDate);
    this.#arm();
  }

  #moveTo(moment: number, toDate: number): void {
    this.#elapsed.set(Math.max(this.elapsed(), moment));
    this.#dates.set(Math.max(this.now(), moment + toDate));
  }

  #runDue(): void {
    const now = this.elapsed();
    const due = this.#tasks.filter(({ at }) => at <= now);
    this.#tasks = this.#tasks.filter(({ at }) => at > now);
    for (const { run } of due) void this.track(run());
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const [next] = this.#tasks;
    if (!next || this.isFrozen) return;
    const wait = Math.min(Math.max(0, next.at - this.elapsed()), longestTimer);
    this.#timer = setTimeout(() => {
      this.#runDue();
      this.#arm();
    }, wait);
    this.#timer.unref();
  }
}
