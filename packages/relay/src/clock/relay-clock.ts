/** The clock as users of the relay see it. */
export interface RelayClock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * Advances a frozen clock by `ms`. Attempts that come due on the way run at their moment.
   * Resolves after the last of them is recorded.
   */
  advance(ms: number): Promise<void>;
}

interface Task {
  readonly at: number;
  readonly run: () => void;
}

const longestTimer = 2 ** 31 - 1;

/**
 * A clock with scheduled tasks. It runs at the machine's speed, whatever happens to the machine's
 * own clock, or stands still.
 */
export class ScheduledClock implements RelayClock {
  readonly #tasks = new Map<Task, NodeJS.Timeout | undefined>();
  readonly #work = new Set<Promise<unknown>>();
  readonly #polls: (() => void)[] = [];
  readonly #createdAt = performance.now();
  #startAt: number;
  /** How far `advance` has come; undefined if the clock runs. */
  #advancedMs: number | undefined;

  constructor(mode: 'running' | 'frozen' = 'running', startAt: number = Date.now()) {
    this.#startAt = startAt;
    this.#advancedMs = mode === 'frozen' ? 0 : undefined;
  }

  /** Whether time passes without `advance`. */
  get runs(): boolean {
    return this.#advancedMs === undefined;
  }

  now(): number {
    return Math.floor(this.#startAt + this.elapsedMs);
  }

  /** The time that this process has seen pass. */
  get elapsedMs(): number {
    return this.#advancedMs ?? performance.now() - this.#createdAt;
  }

  /** Sets the time. */
  set(now: number): void {
    this.#startAt = now - this.elapsedMs;
  }

  /** Runs a task at a moment of this clock. Returns a function that cancels it. */
  schedule(at: number, run: () => void): () => void {
    const task = { at, run };
    const wait = Math.min(Math.max(0, at - this.now()), longestTimer);
    // A task beyond the longest timer wakes up early and schedules itself again.
    const timer = this.runs ? setTimeout(() => this.#run(task), wait) : undefined;
    this.#tasks.set(task, timer?.unref());
    return () => {
      clearTimeout(this.#tasks.get(task));
      this.#tasks.delete(task);
    };
  }

  /** Runs `poll` before each advance of a frozen clock, which has no timers. */
  beforeAdvance(poll: () => void): void {
    this.#polls.push(poll);
  }

  /** Registers running work. A frozen clock waits for it before it advances. */
  track<Result>(work: Promise<Result>): Promise<Result> {
    this.#work.add(work);
    const forget = () => this.#work.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves once all tracked work has ended. */
  async settle(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  async advance(ms: number): Promise<void> {
    if (this.#advancedMs === undefined || !(ms >= 0)) {
      throw new RangeError('advance() needs a clock that is frozen, and 0 ms or more.');
    }
    const target = this.now() + ms;
    for (const poll of this.#polls) poll();
    await this.settle();
    for (let due = this.#next(); due && due.at <= target; due = this.#next()) {
      this.#advancedMs += Math.max(0, due.at - this.now());
      this.#run(due);
      await this.settle();
    }
    this.#advancedMs += target - this.now();
  }

  clear(): void {
    for (const timer of this.#tasks.values()) clearTimeout(timer);
    this.#tasks.clear();
  }

  #next(): Task | undefined {
    return [...this.#tasks.keys()].sort((a, b) => a.at - b.at)[0];
  }

  #run(task: Task): void {
    this.#tasks.delete(task);
    task.run();
  }
}
