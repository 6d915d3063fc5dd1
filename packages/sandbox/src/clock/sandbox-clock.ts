import { Refusal } from '../http/refusal.ts';
import { isClockMoment } from '../moments.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { TaskQueue } from './task-queue.ts';

type ClockState = Snapshot['clock'];

/** What users may do with time. Everything the sandbox dates, expires or repeats follows it. */
export interface SandboxClock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  readonly isFrozen: boolean;
  /** Stands still from now on. */
  freeze(): void;
  /** Goes on from where it stands, at the speed of real time. */
  run(): void;
  /**
   * Moves ahead by `ms`, up to the year 4999. Webhook retries that come due on the way are made at their moment;
   * resolves after the last of them was answered.
   */
  advance(ms: number): Promise<void>;
}

const longestTimer = 2 ** 31 - 1;

/** The clock with the tasks that hang on it. */
export class ScheduledClock implements SandboxClock {
  readonly #queue = new TaskQueue();
  readonly #running = new Set<Promise<void>>();
  #offsetMs = 0;
  #frozenAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #advancing: Promise<void> = Promise.resolve();

  constructor(mode: 'running' | 'frozen', startAt: number) {
    this.#offsetMs = startAt - Date.now();
    if (mode === 'frozen') this.#frozenAt = startAt;
  }

  now(): number {
    return this.#frozenAt ?? Date.now() + this.#offsetMs;
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== null;
  }

  freeze(): void {
    this.#frozenAt ??= this.now();
    clearTimeout(this.#timer);
  }

  run(): void {
    if (this.#frozenAt === null) return;
    this.#offsetMs = this.#frozenAt - Date.now();
    this.#frozenAt = null;
    this.#arm();
  }

  advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0) {
      return Promise.reject(
        new RangeError(`The clock moves ahead by milliseconds, 0 or more; it was told ${ms}.`),
      );
    }
    const moved = this.#advancing.then(() => this.#advanceTo(this.now() + ms));
    this.#advancing = moved.catch(() => undefined);
    return moved;
  }

  /** Runs a task at a moment of this clock; the function that comes back calls it off. */
  schedule(at: number, task: () => Promise<void>): () => void {
    const remove = this.#queue.add(at, task);
    this.#arm();
    return remove;
  }

  /** Work that is under way: `advance` waits for it before it moves. */
  track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
    return tracked;
  }

  /** Resolves once nothing is under way. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  state(): ClockState {
    return { offsetMs: this.isFrozen ? 0 : this.#offsetMs, frozenAt: this.#frozenAt };
  }

  restore(state: ClockState): void {
    this.#offsetMs = state.offsetMs;
    this.#frozenAt = state.frozenAt;
    this.#arm();
  }

  /** Drops all tasks. */
  clear(): void {
    this.#queue.clear();
    clearTimeout(this.#timer);
  }

  async #advanceTo(target: number): Promise<void> {
    if (!isClockMoment(target)) {
      throw new Refusal(
        400,
        'invalid-parameter',
        'ms: the clock goes no further than the year 4999.',
      );
    }
    await this.settle();
    for (let due = this.#queue.nextAt(); due !== undefined && due <= target; ) {
      this.#moveTo(due);
      this.#runDue();
      await this.settle();
      due = this.#queue.nextAt();
    }
    this.#moveTo(target);
    this.#arm();
  }

  #moveTo(moment: number): void {
    const ahead = moment - this.now();
    if (ahead <= 0) return;
    if (this.#frozenAt === null) this.#offsetMs += ahead;
    else this.#frozenAt = moment;
  }

  #runDue(): void {
    for (const task of this.#queue.takeDue(this.now())) void this.track(task());
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const due = this.#queue.nextAt();
    if (due === undefined || this.isFrozen) return;
    const wait = Math.min(Math.max(0, due - this.now()), longestTimer);
    this.#timer = setTimeout(() => {
      this.#runDue();
      this.#arm();
    }, wait);
    this.#timer.unref();
  }
}
