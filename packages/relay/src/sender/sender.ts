import { CoalescedTask } from '../clock/coalesced-task.ts';
import type { RelayContext } from '../context.ts';
import { AttemptWriter } from './attempt-writer.ts';
import { drainSubscription } from './drain-subscription.ts';
import { type Lease, Leases } from './leases.ts';
import { Places } from './places.ts';
import { Readers } from './readers.ts';

export interface SenderOptions {
  readonly random: () => number;
  readonly concurrentSubscriptions: number;
}

const pollMs = 1_000;
/** So a revoked token gets nothing more than a second later. */
const renewMs = 1_000;
/** Interval between two claims. */
const pauseMs = 5;
/** After one that took no subscription, such as while the only one is being delivered to. */
const longerPauseMs = 15;

/** Sends due deliveries. Each subscription runs separately, so that none waits for another. */
export class Sender {
  readonly #context: RelayContext;
  readonly #random: () => number;
  readonly #leases: Leases;
  readonly #readers: Readers;
  readonly #writer: AttemptWriter;
  readonly #places: Places;
  readonly #claiming: CoalescedTask;
  readonly #stop = new AbortController();
  #pauseMs = pauseMs;
  #renewing: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #cancelNext: () => void = () => undefined;
  /** Whether the last claim has not looked at all subscriptions. */
  #isScanning = false;
  /** Whether what is due now may belong to a subscription that was looked at before. */
  #mustRescan = false;

  constructor(context: RelayContext, { random, concurrentSubscriptions }: SenderOptions) {
    this.#context = context;
    this.#random = random;
    this.#leases = new Leases(context.pool);
    this.#readers = new Readers(context, this.#leases.owner);
    this.#writer = new AttemptWriter(context.pool);
    this.#places = new Places(concurrentSubscriptions, () => this.wake());
    this.#claiming = new CoalescedTask(() => this.#claim(), {
      ...context,
      pauseMs: () => this.#pauseMs,
    });
  }

  start(): void {
    this.#renewing = setInterval(() => void this.#renew(), renewMs).unref();
    const { clock } = this.#context;
    if (!clock.isFrozen) this.#polling = setInterval(() => this.wake(), pollMs).unref();
    else clock.beforeAdvance(() => this.wake());
    this.wake();
  }

  /** Claims subscriptions with due deliveries. */
  wake(): void {
    this.#mustRescan = true;
    this.#claiming.wake();
  }

  /** Leaves subscriptions that get nothing more. Other processes notice within a second. */
  leaveEnded(): void {
    void this.#renew();
  }

  /** Starts nothing new, and resolves when the running attempts are recorded. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#polling);
    this.#cancelNext();
    await this.#claiming.stop();
    await this.#places.allFree();
    // Renews the leases until then, so that no other process makes the same attempts.
    clearInterval(this.#renewing);
  }

  async #claim(): Promise<void> {
    const { clock } = this.#context;
    // A place that becomes free wakes it again.
    if (this.#places.free <= 0) return;
    if (!this.#isScanning) this.#mustRescan = false;
    const { leases, hasMore, nextAt } = await this.#leases.claim(clock.now(), this.#places);
    for (const lease of leases) this.#places.take(lease, clock.track(this.#deliver(lease)));
    this.#isScanning = hasMore;
    this.#pauseMs = leases.length > 0 || hasMore ? pauseMs : longerPauseMs;
    if (hasMore || this.#mustRescan) this.#claiming.wake();
    else this.#schedule(nextAt);
  }

  async #deliver(lease: Lease): Promise<void> {
    try {
      const left = await drainSubscription(
        {
          context: this.#context,
          readers: this.#readers,
          writer: this.#writer,
          leases: this.#leases,
          places: this.#places,
          random: this.#random,
          stop: this.#stop.signal,
        },
        lease,
      );
      await this.#leases.release(lease, left);
    } catch (error) {
      // Its lease is no longer renewed. The next process that claims it makes the attempts that
      // were not recorded.
      this.#context.report(error);
    } finally {
      this.#places.give(lease);
      this.wake();
    }
  }

  #schedule(at: number | undefined): void {
    this.#cancelNext();
    if (at !== undefined) this.#cancelNext = this.#context.clock.schedule(at, () => this.wake());
  }

  async #renew(): Promise<void> {
    const { leases } = this.#places;
    if (leases.length === 0) return;
    await this.#leases.renew(leases).catch((error) => this.#context.report(error));
  }
}
