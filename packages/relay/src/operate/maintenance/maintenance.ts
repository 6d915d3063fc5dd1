import { sql } from 'kysely';
import { CoalescedTask } from '../../coalesced-task.ts';
import type { RelayContext } from '../../context.ts';
import { finishErasures } from '../../log/erase-events.ts';
import { prune } from '../../log/prune.ts';
import { switchOffKeyless } from '../../subscribe/switch-off.ts';
import { reportProblems } from '../problems/report-problems.ts';
import { endWrongTimes, settleEnded } from './settle-ended.ts';

const pollMs = 10_000;
const hour = 3_600_000;
const day = 24 * hour;
const pruneMs = hour;

/** Background work in batches. Several processes may run it at the same time. */
export class Maintenance {
  readonly #context: RelayContext;
  readonly #settling: readonly CoalescedTask[];
  readonly #pruning: CoalescedTask;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(context: RelayContext, retentionMs: number, publicUrl: string | undefined) {
    this.#context = context;
    this.#settling = [
      new CoalescedTask(async (mustStop) => {
        await switchOffKeyless(context, mustStop);
        await settleEnded(context, mustStop);
        await endWrongTimes(context);
        await finishErasures(context, mustStop);
      }, context),
      new CoalescedTask((mustStop) => reportProblems(context, publicUrl, mustStop), context),
    ];
    this.#pruning = new CoalescedTask(async (mustStop) => {
      const before = (await provenNow(context)) - retentionMs;
      await prune(context, { before, offBefore: before, mustStop });
    }, context);
  }

  start(): void {
    const { clock } = this.#context;
    const settle = () => this.settle();
    const pruneNow = () => void this.#pruning.wake();
    if (!clock.isFrozen) {
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

  /** Starts what requests have left to do. */
  settle(): void {
    for (const task of this.#settling) void task.wake();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const tasks = [...this.#settling, this.#pruning];
    await Promise.all(tasks.map((task) => task.stop()));
  }
}

/**
 * The present time, as far as events show it: an event is stored only if its signature is recent.
 * A machine that starts with its clock weeks ahead must not prune everything. So the time since the
 * newest event counts only as far as this process has seen it pass, and a day more.
 */
async function provenNow({ db, clock }: RelayContext): Promise<number> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT max(newest.received_at) AS at FROM source CROSS JOIN LATERAL (
      SELECT received_at FROM event WHERE source_number = source.number
      ORDER BY source_number DESC, position DESC LIMIT 1
    ) AS newest`.execute(db);
  const newest = rows[0]?.at?.getTime() ?? clock.now();
  return Math.min(clock.now(), newest + day + clock.elapsedMs);
}
