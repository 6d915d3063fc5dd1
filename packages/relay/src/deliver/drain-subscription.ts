import type { RelayContext } from '../context.ts';
import { openSecrets } from '../log/secrets/open-secrets.ts';
import { change } from '../subscribe/change.ts';
import { switchOff } from '../subscribe/switch-off.ts';
import { attempt } from './attempt.ts';
import type { AttemptWriter, Written } from './attempt-writer.ts';
import { Failures } from './failures.ts';
import type { Lease, Left } from './leases.ts';
import { nextTasks, type Sources, type Task } from './next-tasks.ts';
import type { Readers } from './readers.ts';

export interface DrainTools {
  readonly context: RelayContext;
  readonly readers: Readers;
  readonly writer: AttemptWriter;
  readonly random: () => number;
  /** Whether another subscription gets its place, or another process its lease. */
  readonly mustYield: (lease: Lease) => boolean;
}

/** A reading with fewer goes out in order. */
const backlogSize = 50;

/** Attempts what is next for one subscription: one by one, or a few at a time for a backlog. */
export async function drainSubscription(tools: DrainTools, lease: Lease): Promise<Left> {
  const { context, readers, mustYield } = tools;
  const failures = new Failures(lease);
  const writes = new Writes(tools.writer);
  const secrets = openSecrets(context, lease, 'token');
  const mustLeave = () => failures.endAttempts || mustYield(lease);
  const deliver = async ({ due, after }: Task) => {
    const { result, retryAfterMs } = await attempt(tools, lease, due, secrets);
    writes.add({ result, moves: after() });
    failures.note({ status: result.status, retryAfterMs, now: context.clock.now() });
  };
  let left: Sources = lease;
  while (left.isBehind || left.hasRetry || left.hasJob) {
    const { tasks, moves, sources } = await nextTasks(readers, lease, left);
    if (moves.length > 0) writes.add({ moves });
    // The concurrent workers share what is left.
    const waiting = tasks.values();
    const some = async () => {
      for (const task of waiting) {
        if (mustLeave()) return;
        await deliver(task);
        await tools.writer.room();
      }
    };
    const isBacklog = failures.hasNone && (tasks.length >= backlogSize || sources.isBehind);
    await Promise.all(Array.from({ length: isBacklog ? lease.maxConcurrency : 1 }, some));
    await writes.done();
    if (mustLeave()) break;
    left = sources;
  }
  if (failures.offReason) await end(context, lease, failures.offReason);
  return failures.left(context.clock.now());
}

/** What one sender writes about its subscription. */
class Writes {
  readonly #writer: AttemptWriter;
  readonly #writes: Promise<void>[] = [];

  constructor(writer: AttemptWriter) {
    this.#writer = writer;
  }

  add(written: Written): void {
    const done = this.#writer.write(written);
    // Awaited before the lease is released, so mark a rejection until then as handled.
    done.catch(() => undefined);
    this.#writes.push(done);
  }

  /** Resolves once all of it is in the database. */
  async done(): Promise<void> {
    this.#writer.flush();
    await Promise.all(this.#writes.splice(0));
  }
}

async function end(
  context: RelayContext,
  { subscription, generation }: Lease,
  reason: 'gone' | 'failing',
): Promise<void> {
  const now = context.clock.now();
  await change(context, (transaction) =>
    switchOff(transaction, [subscription], { reason, now, generation }),
  );
}
