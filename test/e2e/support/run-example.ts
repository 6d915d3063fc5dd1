import assert from 'node:assert/strict';
import type { EventName } from '@screen-advertising/core';
import type { Execution, N8nApi, Workflow, WorkflowNode } from './n8n-api.ts';
import { waitFor } from './wait.ts';

const finished = ['success', 'error', 'crashed', 'canceled'];

/** The trigger that deliveries start, unless the workflow begins with another one. */
export function webhookTrigger({ nodes }: Workflow): WorkflowNode | undefined {
  return nodes.find(({ type }) => type.endsWith('.screenAdvertisingTrigger'));
}

/**
 * Runs a workflow, by an event where the service starts it, and otherwise as the editor's button
 * does. Fails unless it succeeds; gives the execution.
 */
export async function runExample(
  api: N8nApi,
  workflow: Workflow,
  fire: (event: EventName) => Promise<unknown>,
): Promise<Execution> {
  const byEvent = webhookTrigger(workflow);
  if (byEvent) {
    const { events } = byEvent.parameters as { events: EventName[] };
    for (const event of events) await fire(event);
  } else {
    const trigger = workflow.nodes.find(({ type }) => /trigger$/i.test(type));
    if (!trigger) throw new Error(`${workflow.name} has no trigger.`);
    await api.run(workflow, trigger.name);
  }
  const execution = await waitFor(
    { what: `an execution of "${workflow.name}"`, withinMs: 600_000 },
    async () => {
      const [latest] = await api.executions({ workflowId: workflow.id });
      return latest && finished.includes(latest.status) && api.execution(latest.id);
    },
  );
  const error = execution.data?.resultData?.error?.message;
  assert.equal(execution.status, 'success', `${workflow.name}: ${error}`);
  return execution;
}
