import type { RelayContext } from '../context.ts';
import { AttemptWriter } from './attempt-writer.ts';
import { CoalescedTask } from './coalesced-task.ts';
import { type DrainTools, drainSubscription } from './drain-subscription.ts';
import { type Lease, Leases } from './leases.ts';
import { Readers } from './readers.ts';

interface SenderOptions {
  readonly random?: () => number;
  readonly places?: number;
}

const pollMs = 1_000;
/** So a revoked token gets nothing more than a second later. */
const renewMs = 1_000;
/** Interval between two claims. */
const pauseMs = 5;
/** After one that took no subscription, such as while the only one is being delivered to. */
const longerPauseMs = 15;
/** How long a subscription keeps its place while others wait. */
const sliceMs = 1_000;

/** A subscription that this process delivers to now. */
interface Served {
  readonly work: Promise<void>;
  readonly since: number;
}

/**
 * Sends due deliveries. Each subscription has its own place, so that none waits for another. If
 * there are more subscriptions than places, they take turns of a second.
 */
export class Sender {
  readonly #context: RelayContext;
  readonly #leases: Leases;
  readonly #tools: DrainTools;
  readonly #places: number;
  readonly #served = new Map<Lease, Served>();
  readonly #claiming: CoalescedTask;
  /** Two at once would each take what the other has locked for lost. */
  readonly #renewal: CoalescedTask;
  readonly #stop = new AbortController();
  #pauseMs = pauseMs;
  #renewing: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #cancelNext: () => void = () => undefined;

  constructor(context: RelayContext, { random = Math.random, places = 500 }: SenderOptions = {}) {
    this.#context = context;
    this.#leases = new Leases(context.pool);
    this.#places = places;
    this.#tools = {
      context,
      random,
      readers: new Readers(context, this.#leases.owner),
      writer: new AttemptWriter(context.pool),
      mustYield: (lease) => this.#mustYield(lease),
    };
    this.#claiming = new CoalescedTask(() => this.#claim(), {
      ...context,
      pauseMs: () => this.#pauseMs,
    });
    this.#renewal = new CoalescedTask(() => this.#renew(), context);
  }

  start(): void {
    this.#renewing = setInterval(() => void this.#renewal.wake(), renewMs).unref();
    const { clock } = this.#context;
    if (!clock.isFrozen) this.#polling = setInterval(() => this.wake(), pollMs).unref();
    else clock.beforeAdvance(() => this.wake());
    this.wake();
  }

  /** Claims subscriptions with due deliveries. */
  wake(): void {
    this.#claiming.wake();
  }

  /** Leaves subscriptions that get nothing more. Other processes notice within a second. */
  leaveEnded(): void {
    void this.#renewal.wake();
  }

  /** Starts nothing new, and resolves when the running attempts are recorded. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#polling);
    this.#cancelNext();
    await this.#claiming.stop();
    await Promise.all([...this.#served.values()].map(({ work }) => work));
    // Renews the leases until then, so that no other process makes the same attempts.
    clearInterval(this.#renewing);
    await this.#renewal.stop();
  }

  async #claim(): Promise<void> {
    const { clock } = this.#context;
    const free = this.#places - this.#served.size;
    // A place that becomes free wakes it again.
    if (free <= 0) return;
    const held = [...this.#served.keys()];
    const { leases, nextAt } = await this.#leases.claim(clock.now(), held, free);
    for (const lease of leases) {
      const work = clock.track(this.#deliver(lease));
      this.#served.set(lease, { work, since: performance.now() });
    }
    this.#pauseMs = leases.length > 0 ? pauseMs : longerPauseMs;
    this.#schedule(nextAt);
  }

  async #deliver(lease: Lease): Promise<void> {
    try {
      const left = await drainSubscription(this.#tools, lease);
      await this.#leases.release(lease, left);
    } catch (error) {
      // Its lease is no longer renewed. The next process that claims it makes the attempts that
      // were not recorded.
      this.#context.report(error);
    } finally {
      this.#served.delete(lease);
      this.wake();
    }
  }

  #mustYield(lease: Lease): boolean {
    if (this.#stop.signal.aborted || !this.#leases.isHeld(lease)) return true;
    if (this.#served.size < this.#places) return false;
    const { since = Number.POSITIVE_INFINITY } = this.#served.get(lease) ?? {};
    return performance.now() - since >= sliceMs;
  }

  #schedule(at: number | undefined): void {
    this.#cancelNext();
    if (at !== undefined) this.#cancelNext = this.#context.clock.schedule(at, () => this.wake());
  }

  async #renew(): Promise<void> {
    const leases = [...this.#served.keys()];
    if (leases.length > 0) await this.#leases.renew(leases);
  }
}
