import { isClockMoment } from '../moments.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import type { Snapshot } from '../state/stored-records.ts';

type ClockState = Snapshot['clock'];

/** The sandbox's clock. All dates, expirations and retries of the sandbox follow it. */
export type SandboxClock = Pick<ScheduledClock, 'now' | 'isFrozen' | 'freeze' | 'run' | 'advance'>;

interface Task {
  readonly at: number;
  readonly run: () => Promise<void>;
}

const longestTimer = 2 ** 31 - 1;

/** A clock with scheduled tasks. While it runs, it keeps its distance from the machine's clock. */
export class ScheduledClock {
  /** By due time. There are few at a time, so a plain list is enough. */
  #tasks: Task[] = [];
  readonly #running = new Set<Promise<void>>();
  #offsetMs: number;
  #frozenAt: number | null;
  #timer: NodeJS.Timeout | undefined;
  #advancing: Promise<void> = Promise.resolve();

  constructor(mode: 'running' | 'frozen', startAt: number) {
    this.#offsetMs = startAt - Date.now();
    this.#frozenAt = mode === 'frozen' ? startAt : null;
  }

  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number {
    return this.#frozenAt ?? Date.now() + this.#offsetMs;
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== null;
  }

  /** Stops the clock at the current moment. */
  freeze(): void {
    this.#frozenAt ??= this.now();
    clearTimeout(this.#timer);
  }

  /** Continues from the current moment, at the speed of real time. */
  run(): void {
    if (this.#frozenAt === null) return;
    this.#offsetMs = this.#frozenAt - Date.now();
    this.#frozenAt = null;
    this.#arm();
  }

  /**
   * Advances by `ms`, up to the year 4999. Webhook retries that come due on the way run at their
   * moment. Resolves after the last of them has its response.
   */
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

  /** Runs a task at a moment of this clock. */
  schedule(at: number, run: () => Promise<void>): void {
    this.#tasks = [...this.#tasks, { at, run }].sort((a, b) => a.at - b.at);
    this.#arm();
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
    return { offsetMs: this.isFrozen ? 0 : this.#offsetMs, frozenAt: this.#frozenAt };
  }

  restore({ offsetMs, frozenAt }: ClockState): void {
    this.#offsetMs = offsetMs;
    this.#frozenAt = frozenAt;
    this.#arm();
  }

  /** Drops all tasks. */
  clear(): void {
    this.#tasks = [];
    clearTimeout(this.#timer);
  }

  async #advanceBy(ms: number): Promise<void> {
    const target = this.now() + ms;
    if (!isClockMoment(target)) {
      throw new ProblemResponseError(
        'invalid-parameter',
        'ms: the clock cannot advance past the year 4999.',
      );
    }
    await this.settle();
    for (let [next] = this.#tasks; next && next.at <= target; [next] = this.#tasks) {
      this.#moveTo(next.at);
      this.#runDue();
      await this.settle();
    }
    this.#moveTo(target);
    this.#arm();
  }

  /** A clock that has run past the moment meanwhile stays ahead. */
  #moveTo(moment: number): void {
    const ms = Math.max(0, moment - this.now());
    if (this.#frozenAt === null) this.#offsetMs += ms;
    else this.#frozenAt += ms;
  }

  #runDue(): void {
    const now = this.now();
    const due = this.#tasks.filter(({ at }) => at <= now);
    this.#tasks = this.#tasks.filter(({ at }) => at > now);
    for (const { run } of due) void this.track(run());
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const [next] = this.#tasks;
    if (!next || this.isFrozen) return;
    const wait = Math.min(Math.max(0, next.at - this.now()), longestTimer);
    this.#timer = setTimeout(() => {
      this.#runDue();
      this.#arm();
    }, wait);
    this.#timer.unref();
  }
}
