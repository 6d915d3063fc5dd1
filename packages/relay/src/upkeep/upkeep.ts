import type { RelayContext } from '../context.ts';
import { Chore } from './chore.ts';
import { nextFarewell, sendFarewells } from './farewells.ts';
import { prune } from './prune.ts';
import { sweep } from './sweep.ts';

export interface UpkeepOptions {
  /** How long an event stays, in milliseconds. */
  readonly keepMs: number;
  readonly random: () => number;
}

const lookMs = 10_000;
const pruneMs = 24 * 3_600_000;

/** Background work of the senders. Several processes may run it at the same time. */
export class Upkeep {
  readonly #context: RelayContext;
  readonly #settling: readonly Chore[];
  readonly #pruning: Chore;
  readonly #timers: NodeJS.Timeout[] = [];
  #cancelNext: () => void = () => undefined;

  constructor(context: RelayContext, { keepMs, random }: UpkeepOptions) {
    this.#context = context;
    this.#settling = [
      new Chore(context, (mustStop) => sweep(context, mustStop)),
      new Chore(context, async (mustStop) => {
        await sendFarewells(context, mustStop, random);
        await this.#scheduleNext();
      }),
    ];
    this.#pruning = new Chore(context, async (mustStop) => {
      await prune(context, { before: context.clock.now() - keepMs, mustStop });
    });
  }

  start(): void {
    const { clock } = this.#context;
    const look = () => this.settle();
    const pruneNow = () => this.#pruning.wake();
    if (clock.runs) {
      this.#timers.push(setInterval(look, lookMs).unref(), setInterval(pruneNow, pruneMs).unref());
    } else {
      clock.beforeAdvance(look);
      clock.beforeAdvance(pruneNow);
    }
    look();
    pruneNow();
  }

  /** Settles what is left of subscriptions that were switched off. */
  settle(): void {
    for (const chore of this.#settling) chore.wake();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([...this.#settling, this.#pruning].map((chore) => chore.stop()));
    this.#cancelNext();
  }

  async #scheduleNext(): Promise<void> {
    const { clock } = this.#context;
    const at = await nextFarewell(this.#context);
    this.#cancelNext();
    if (at !== undefined) this.#cancelNext = clock.schedule(at, () => this.settle());
  }
}
