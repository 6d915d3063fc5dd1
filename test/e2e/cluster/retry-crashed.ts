import type { Cluster } from '../support/cluster.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';

export interface Recovery {
  /** Ids of the executions that took the place of crashed ones. */
  readonly retries: ReadonlySet<string>;
  /** Executions whose input n8n has overwritten with an error: nothing is left to retry. */
  readonly givenUp: readonly string[];
}

/**
 * What docs/n8n-cluster tells an operator to do after a worker was lost. Redis lets its jobs go
 * after at most a minute and a half. The process that took a delivery then marks its execution as
 * failed, and n8n 2.40 overwrites the input while doing so; where that process is gone, too, the
 * main process marks it as crashed when it starts, and it can be retried.
 */
export async function retryCrashed(
  cluster: Cluster,
  workflowId: string,
  missing: () => number,
): Promise<Recovery> {
  const retried = new Set<string>();
  const retries = new Set<string>();
  let givenUp: readonly string[] = [];
  await waitFor(
    { what: 'the executions that died', withinMs: 300_000, everyMs: 5_000 },
    async () => {
      await cluster.restart('main');
      for (const { id, mode } of await cluster.api.executions({ workflowId, status: 'crashed' })) {
        // A retry that ends while the main process starts may be marked although it succeeded.
        if (retried.has(id) || mode === 'retry') continue;
        retried.add(id);
        retries.add((await cluster.api.retry(id)).id);
        say(`Retried the crashed execution ${id}`);
      }
      const failed = await cluster.api.executions({ workflowId, status: 'error' });
      givenUp = failed.map(({ id }) => id);
      return missing() <= givenUp.length;
    },
  );
  return { retries, givenUp };
}
