import type { Cluster } from '../support/cluster.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';

/**
 * What docs/n8n-cluster tells an operator to do after a worker was lost. n8n marks the executions
 * that died as crashed when its main process starts, once Redis has let their jobs go, which
 * takes up to a minute and a half after the crash; then each can be retried.
 */
export async function retryCrashed(
  cluster: Cluster,
  workflowId: string,
  missing: () => number,
): Promise<void> {
  await waitFor({ what: 'crashed executions', withinMs: 240_000, everyMs: 20_000 }, async () => {
    await cluster.restart('main');
    const running = await cluster.api.executions({ workflowId, status: 'running' });
    return running.length === 0;
  });
  const crashed = await cluster.api.executions({ workflowId, status: 'crashed' });
  say(`Retrying ${crashed.length} crashed executions`);
  for (const { id } of crashed) await cluster.api.retry(id);
  await waitFor({ what: 'the retried executions', withinMs: 60_000 }, () => missing() === 0);
}
