import assert from 'node:assert/strict';
import type { EventName } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
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
  const execution = await ended(api, workflow);
  const error = execution.data?.resultData?.error?.message;
  assert.equal(execution.status, 'success', `${workflow.name}: ${error}`);
  return execution;
}

/** The execution with this ID once it has ended; default: the latest. */
export async function ended(api: N8nApi, { id, name }: Workflow, of?: string): Promise<Execution> {
  const what = `an execution of "${name}"`;
  return await waitFor({ what, withinMs: 600_000 }, async () => {
    const executions = await api.executions({ workflowId: id });
    const execution = of === undefined ? executions[0] : executions.find((one) => one.id === of);
    return execution && finished.includes(execution.status) && api.execution(execution.id);
  });
}

/** The items of a node's first output. */
export function outputOf({ data }: Execution, node: string): IDataObject[] {
  const runs = data?.resultData?.runData?.[node] ?? [];
  return runs.flatMap((run) => (run.data?.main?.[0] ?? []).map(({ json }) => json));
}
