import type {
  IDataObject,
  INodeExecutionData,
  IPollFunctions,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Engine, EngineNode } from './engine.ts';
import { asDeclared, n8nCore } from './n8n.ts';

/** A published polling trigger, with what n8n stores between its polls. */
export interface Poller {
  /** One poll: the items that start an execution, none when nothing is new. Rejects as the node does. */
  poll(mode?: WorkflowExecuteMode): Promise<INodeExecutionData[]>;
  readonly staticData: () => IDataObject;
}

/**
 * Runs the trigger's `poll` through n8n's own poller. The workflow is read anew each time, so
 * every poll comes after a restart; static data is stored after a poll that succeeds.
 */
export function createPoller(engine: Engine, trigger: EngineNode): Poller {
  let stored = '{}';
  return {
    staticData: () => JSON.parse(stored) as IDataObject,
    async poll(mode = 'trigger') {
      const workflow = engine.workflow([trigger], JSON.parse(stored) as IDataObject);
      const [node] = Object.values(workflow.nodes);
      if (!node) throw new Error('A workflow needs a node.');
      const context = new n8nCore.PollContext(
        workflow,
        node,
        engine.additionalData(mode, workflow),
        mode,
        'activate',
      );
      const poller = new n8nCore.TriggersAndPollers();
      const output = await poller.runPollFunction(
        workflow,
        node,
        asDeclared<IPollFunctions>(context),
      );
      if (mode !== 'manual') stored = JSON.stringify(workflow.staticData);
      return output?.[0] ?? [];
    },
  };
}
