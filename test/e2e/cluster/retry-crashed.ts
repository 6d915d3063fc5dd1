import type { Cluster } from '../support/cluster.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';

/**
 * What docs/n8n-cluster tells an operator to do after a worker was lost. n8n marks the executions
 * that died as crashed when its main process starts, once Redis has let their jobs go, which
 * takes up to a minute and a half after the crash; then each can be retried. Gives the ids of the
 * retries.
 */
export async function retryCrashed(
  cluster: Cluster,
  workflowId: string,
  missing: () => number,
): Promise<ReadonlySet<string>> {
  const retried = new Set<string>();
  const retries = new Set<string>();
  await waitFor({ what: 'the crashed executions', withinMs: 300_000, everyMs: 5_000 }, async () => {
    await cluster.restart('main');
    for (const { id } of await cluster.api.executions({ workflowId, status: 'crashed' })) {
      if (retried.has(id)) continue;
      retried.add(id);
      retries.add((await cluster.api.retry(id)).id);
      say(`Retried the crashed execution ${id}`);
    }
    return missing() === 0;
  });
  return retries;
}
