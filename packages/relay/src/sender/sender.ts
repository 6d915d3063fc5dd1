import { setTimeout as wait } from 'node:timers/promises';
import type { RelayContext } from '../context.ts';
import { DueDeliveries } from './due-deliveries.ts';
import { type Lane, Lanes } from './lanes.ts';
import { Ledger } from './ledger.ts';
import { workLane } from './work-lane.ts';

export interface SenderOptions {
  readonly random: () => number;
  /** Subscriptions that this process delivers to at once. */
  readonly lanes: number;
}

const pollMs = 1_000;
const keepMs = 4_000;
/** Interval between polls for due deliveries. */
const pauseMs = 5;
/** If no other lane ran for this long, a lane has the process to itself. */
const aloneAfterMs = 1_000;

/** Sends due deliveries. Each subscription runs separately, so that none waits for another. */
export class Sender {
  readonly #context: RelayContext;
  readonly #options: SenderOptions;
  readonly #lanes: Lanes;
  readonly #deliveries: DueDeliveries;
  readonly #ledger: Ledger;
  readonly #working = new Map<Lane, Promise<void>>();
  #keeping: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  /** When two lanes last ran at once, on the monotonic clock. */
  #sharedAt = Number.NEGATIVE_INFINITY;
  #passing: Promise<void> | undefined;
  #again = false;
  #isStopping = false;
  #cancelNext: () => void = () => undefined;

  constructor(context: RelayContext, options: SenderOptions) {
    this.#context = context;
    this.#options = options;
    this.#lanes = new Lanes(context.pool);
    this.#deliveries = new DueDeliveries(context);
    this.#ledger = new Ledger(context.pool);
  }

  start(): void {
    this.#keeping = setInterval(() => void this.#keep(), keepMs).unref();
    const { clock } = this.#context;
    if (clock.runs) this.#polling = setInterval(() => this.wake(), pollMs).unref();
    else clock.beforeAdvance(() => this.wake());
    this.wake();
  }

  /** Looks for due deliveries now, or after the current look. */
  wake(): void {
    if (this.#isStopping) return;
    this.#again = true;
    this.#passing ??= this.#context.clock.track(this.#passes());
  }

  /** Starts nothing new, and resolves when the attempts under way are recorded. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#polling);
    this.#cancelNext();
    await this.#passing;
    await Promise.all(this.#working.values());
    // Keeps the leases until then, so that no other process makes the same attempts.
    clearInterval(this.#keeping);
  }

  async #passes(): Promise<void> {
    try {
      while (this.#again && !this.#isStopping) {
        this.#again = false;
        await this.#pass();
        // A wake-up during this look leads to another one.
        if (this.#again && this.#context.clock.runs) await wait(pauseMs);
      }
    } catch (error) {
      // The next poll retries.
      this.#context.report(error);
    } finally {
      this.#passing = undefined;
    }
  }

  async #pass(): Promise<void> {
    const claimed = await this.#claim();
    for (const lane of claimed) {
      const work = this.#context.clock.track(this.#work(lane));
      this.#working.set(lane, work);
    }
    if (this.#working.size > 1) this.#sharedAt = performance.now();
    if (claimed.length === 0 && !this.#again) await this.#scheduleNext();
  }

  /** Failing subscribers, which may hang, get at most half of the places. */
  async #claim(): Promise<Lane[]> {
    const { lanes } = this.#options;
    const places = lanes - this.#working.size;
    if (places <= 0) return [];
    const failing = [...this.#working.keys()].filter((lane) => lane.failuresInARow > 0).length;
    const mostFailing = Math.max(0, Math.ceil(lanes / 2) - failing);
    return this.#lanes.claim(this.#context.clock.now(), places, mostFailing);
  }

  async #work(lane: Lane): Promise<void> {
    const context = this.#context;
    try {
      const end = await workLane(
        {
          context,
          deliveries: this.#deliveries,
          ledger: this.#ledger,
          random: this.#options.random,
          mustLeave: () => this.#isStopping || !this.#lanes.isHeld(lane),
          isCrowded: () => this.#working.size >= this.#options.lanes,
          isAlone: () => performance.now() - this.#sharedAt > aloneAfterMs,
        },
        lane,
      );
      await this.#lanes.release(lane.subscription, end.failuresInARow, end.pausedUntil);
    } catch (error) {
      // Its lease is no longer extended. The next process that claims the lane makes the attempts
      // that were not recorded.
      context.report(error);
    } finally {
      this.#working.delete(lane);
      this.wake();
    }
  }

  async #scheduleNext(): Promise<void> {
    const { clock } = this.#context;
    const at = await this.#lanes.nextDue();
    this.#cancelNext();
    // What is already due belongs to another process, or waits for a place here.
    if (at === undefined || at <= clock.now()) return;
    this.#cancelNext = clock.schedule(at, () => this.wake());
  }

  async #keep(): Promise<void> {
    if (this.#working.size === 0) return;
    await this.#lanes.keep([...this.#working.keys()]).catch((error) => this.#context.report(error));
  }
}
