import type { Cluster } from '../support/cluster.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';

/**
 * Follows docs/n8n-cluster after a worker is lost. Redis releases its jobs within a minute and a
 * half. The main process then marks their executions as crashed when it starts, and each can be
 * retried. Returns the IDs of the retries.
 */
export async function retryCrashed(
  cluster: Cluster,
  workflowId: string,
  missing: () => number,
): Promise<ReadonlySet<string>> {
  const retried = new Set<string>();
  const retries = new Set<string>();
  await waitFor(
    {
      what: 'the executions that died',
      withinMs: 600_000,
      everyMs: 5_000,
      progress: () => `${missing()} ${retries.size}`,
    },
    async () => {
      await cluster.restart('main');
      for (const { id, mode } of await cluster.api.executions({ workflowId, status: 'crashed' })) {
        // A retry that ends while the main process starts may be marked although it succeeded.
        if (retried.has(id) || mode === 'retry') continue;
        retried.add(id);
        retries.add((await cluster.api.retry(id)).id);
        say(`Retried the crashed execution ${id}`);
      }
      if (missing() === 0) return true;
      say(`${missing()} events are still missing`);
      // An execution whose data were overwritten has nothing left to work on.
      for (const id of retries) say(`Retry ${id}: ${(await cluster.api.execution(id)).status}`);
      return false;
    },
  );
  return retries;
}
