import { setTimeout as wait } from 'node:timers/promises';
import type { RelayContext } from '../context.ts';
import { DueDeliveries } from './due-deliveries.ts';
import { type Lane, Lanes } from './lanes.ts';
import { Ledger } from './ledger.ts';
import { workLane } from './work-lane.ts';

export interface SenderOptions {
  readonly random: () => number;
  /** Subscriptions that this process delivers to at a time. */
  readonly lanes: number;
}

const pollMs = 1_000;
const keepMs = 4_000;
/** Between one look for what is due and the next. */
const pauseMs = 5;
/** A lane has the process for itself when no other was worked for so long. */
const aloneAfterMs = 1_000;

/** Delivers what is due, each subscription on its own, so that none waits for another. */
export class Sender {
  readonly #context: RelayContext;
  readonly #options: SenderOptions;
  readonly #lanes: Lanes;
  readonly #deliveries: DueDeliveries;
  readonly #ledger: Ledger;
  readonly #working = new Map<Lane, Promise<void>>();
  #keeping: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  /** When two lanes were worked at a time, of this process's own time. */
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

  /** Looks for what is due, now or after the look under way. */
  wake(): void {
    if (this.#isStopping) return;
    this.#again = true;
    this.#passing ??= this.#context.clock.track(this.#passes());
  }

  /** Takes nothing new; resolves when the attempts under way are made and recorded. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#polling);
    this.#cancelNext();
    await this.#passing;
    await Promise.all(this.#working.values());
    // Until then the leases are kept, so that no other process makes the same attempts.
    clearInterval(this.#keeping);
  }

  async #passes(): Promise<void> {
    try {
      while (this.#again && !this.#isStopping) {
        this.#again = false;
        await this.#pass();
        // What wakes it meanwhile goes with the next look.
        if (this.#again && this.#context.clock.runs) await wait(pauseMs);
      }
    } catch (error) {
      // The next poll looks again.
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

  /** Subscribers that fail, and may hang, get half of the places at most. */
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
      // Its lease is not kept any longer, and whoever claims it then takes up what was not recorded.
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
    // What is due already is another process's, or waits for a place here.
    if (at === undefined || at <= clock.now()) return;
    this.#cancelNext = clock.schedule(at, () => this.wake());
  }

  async #keep(): Promise<void> {
    if (this.#working.size === 0) return;
    await this.#lanes.keep([...this.#working.keys()]).catch((error) => this.#context.report(error));
  }
}
