import { CoalescedTask } from '../clock/coalesced-task.ts';
import type { RelayContext } from '../context.ts';
import { prune } from './prune.ts';
import { nextEndNotice, sendEndNotices } from './send-end-notices.ts';
import { settleDeadDeliveries } from './settle-dead-deliveries.ts';

export interface MaintenanceOptions {
  /** How long an event stays, in milliseconds. */
  readonly retentionMs: number;
  readonly random: () => number;
}

const pollMs = 10_000;
const pruneMs = 24 * 3_600_000;

/** Background work of the senders. Several processes may run it at the same time. */
export class Maintenance {
  readonly #context: RelayContext;
  readonly #settling: readonly CoalescedTask[];
  readonly #pruning: CoalescedTask;
  readonly #timers: NodeJS.Timeout[] = [];
  #cancelNext: () => void = () => undefined;

  constructor(context: RelayContext, { retentionMs, random }: MaintenanceOptions) {
    this.#context = context;
    this.#settling = [
      new CoalescedTask((mustStop) => settleDeadDeliveries(context, mustStop), context),
      new CoalescedTask(async (mustStop) => {
        await sendEndNotices(context, mustStop, random);
        await this.#scheduleNext();
      }, context),
    ];
    this.#pruning = new CoalescedTask(async (mustStop) => {
      await prune(context, { before: context.clock.now() - retentionMs, mustStop });
    }, context);
  }

  start(): void {
    const { clock } = this.#context;
    const settle = () => this.settle();
    const pruneNow = () => this.#pruning.wake();
    if (clock.runs) {
      this.#timers.push(
        setInterval(settle, pollMs).unref(),
        setInterval(pruneNow, pruneMs).unref(),
      );
    } else {
      clock.beforeAdvance(settle);
      clock.beforeAdvance(pruneNow);
    }
    settle();
    pruneNow();
  }

  /** Settles what is left of subscriptions that were switched off. */
  settle(): void {
    for (const task of this.#settling) task.wake();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([...this.#settling, this.#pruning].map((task) => task.stop()));
    this.#cancelNext();
  }

  async #scheduleNext(): Promise<void> {
    const { clock } = this.#context;
    const at = await nextEndNotice(this.#context);
    this.#cancelNext();
    if (at !== undefined) this.#cancelNext = clock.schedule(at, () => this.settle());
  }
}
