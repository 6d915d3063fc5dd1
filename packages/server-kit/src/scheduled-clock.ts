interface Task {
  readonly at: number;
  readonly run: () => unknown;
}

interface ClockOptions {
  /** Milliseconds since 1970-01-01T00:00:00Z. Default: now. */
  readonly startAt?: number | undefined;
  /** Whether time stands still until `advance`. Default: false. */
  readonly isFrozen?: boolean;
  /**
   * The time that passes while the clock runs, in milliseconds. Default: the machine's uptime, whatever happens to the
   * machine's own clock.
   */
  readonly ticks?: () => number;
}

/** A clock continues from this state, also in another process with the same ticks. */
export interface ClockState {
  /** Milliseconds ahead of the ticks; 0 if it is frozen. */
  readonly offsetMs: number;
  readonly frozenAt: number | null;
}

const maxTimer = 2 ** 31 - 1;

/** A clock with scheduled tasks. It runs at the machine's speed, or stands still. */
export class ScheduledClock {
  readonly #ticks: () => number;
  /** There are few at a time, so the next one is looked up. */
  readonly #tasks = new Set<Task>();
  readonly #work = new Set<Promise<unknown>>();
  readonly #polls: (() => void)[] = [];
  /** How far the running clock is ahead of its ticks. */
  #offsetMs: number;
  #frozenAt: number | null;
  /** The time at which none had passed. */
  #startedAt: number;
  #timer: NodeJS.Timeout | undefined;
  #advancing: Promise<void> = Promise.resolve();

  constructor({ startAt = Date.now(), isFrozen, ticks }: ClockOptions = {}) {
    this.#ticks = ticks ?? (() => Math.floor(performance.now()));
    this.#offsetMs = startAt - this.#ticks();
    this.#frozenAt = isFrozen ? startAt : null;
    this.#startedAt = startAt;
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== null;
  }

  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number {
    return this.#frozenAt ?? this.#ticks() + this.#offsetMs;
  }

  /** The time that this process has seen pass. */
  get elapsedMs(): number {
    return this.now() - this.#startedAt;
  }

  /** Sets the time, as if no time had passed. */
  set(now: number): void {
    const aheadMs = Math.floor(now) - this.now();
    this.#startedAt += aheadMs;
    this.#move(aheadMs);
    this.#arm();
  }

  /** Stops the clock at the current moment. */
  freeze(): void {
    this.#frozenAt ??= this.now();
    this.#arm();
  }

  /** Continues from the current moment, at the speed of real time. */
  run(): void {
    if (this.#frozenAt === null) return;
    this.#offsetMs = this.#frozenAt - this.#ticks();
    this.#frozenAt = null;
    this.#arm();
  }

  state(): ClockState {
    return { offsetMs: this.isFrozen ? 0 : this.#offsetMs, frozenAt: this.#frozenAt };
  }

  restore({ offsetMs, frozenAt }: ClockState): void {
    this.#offsetMs = offsetMs;
    this.#frozenAt = frozenAt;
    this.#arm();
  }

  /** Runs a task at a moment of this clock. Returns a function that cancels it. */
  schedule(at: number, run: () => unknown): () => void {
    const task = { at, run };
    this.#tasks.add(task);
    this.#arm();
    return () => {
      this.#tasks.delete(task);
      this.#arm();
    };
  }

  /** Runs `poll` before each advance: a frozen clock has no timers. */
  beforeAdvance(poll: () => void): void {
    this.#polls.push(poll);
  }

  /** Registers running work. `advance` waits for it before the clock moves. */
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

  /**
   * Advances by `ms`. Tasks that come due on the way run at their moment. Resolves after the work of
   * the last of them has ended.
   */
  advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0) {
      return Promise.reject(
        new RangeError(`The clock can only advance by 0 ms or more, not ${ms}.`),
      );
    }
    const moved = this.#advancing.then(() => this.#advanceTo(this.now() + ms));
    this.#advancing = moved.catch(() => undefined);
    return moved;
  }

  /** Drops all tasks. */
  clear(): void {
    this.#tasks.clear();
    this.#arm();
  }

  async #advanceTo(target: number): Promise<void> {
    for (const poll of this.#polls) poll();
    await this.settle();
    for (let due = this.#next(); due && due.at <= target; due = this.#next()) {
      this.#moveTo(due.at);
      this.#runDue();
      await this.settle();
    }
    this.#moveTo(target);
    this.#arm();
  }

  #move(ms: number): void {
    if (this.#frozenAt === null) this.#offsetMs += ms;
    else this.#frozenAt += ms;
  }

  /** A clock that has run past the moment meanwhile stays ahead. */
  #moveTo(moment: number): void {
    this.#move(Math.max(0, moment - this.now()));
  }

  #next(): Task | undefined {
    return [...this.#tasks].sort((a, b) => a.at - b.at)[0];
  }

  #runDue(): void {
    const now = this.now();
    for (const task of [...this.#tasks].filter(({ at }) => at <= now)) {
      this.#tasks.delete(task);
      const result = task.run();
      if (result instanceof Promise) void this.track(result);
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#next();
    if (!next || this.isFrozen) return;
    const wait = Math.min(Math.max(0, next.at - this.now()), maxTimer);
    this.#timer = setTimeout(() => {
      this.#runDue();
      this.#arm();
    }, wait).unref();
  }
}
