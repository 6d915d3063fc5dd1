import type {
  IDataObject,
  INode,
  INodeExecutionData,
  IPollFunctions,
  Workflow,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { type Engine, type EngineNode, firstNode } from './engine.ts';
import { asDeclared, n8nContainer, n8nCore } from './n8n.ts';

/** A published polling trigger, with everything that n8n keeps and stores between its polls. */
export interface Poller {
  /**
   * Polls once: returns the items that start an execution, none when nothing is new. Rejects as the
   * node does. As in n8n, the first poll is part of publishing the workflow.
   */
  poll(mode?: WorkflowExecuteMode): Promise<INodeExecutionData[]>;
  /** n8n restarts, or the workflow is published again: only the stored data is left. */
  restart(): void;
  /** The data as stored. */
  readonly staticData: () => IDataObject;
}

/**
 * Runs the trigger's `poll` through n8n's own poller. As in n8n, the workflow stays in memory while
 * it is published. Its static data is stored when it is published and when a poll returns items,
 * but not after a poll that returns none.
 */
export function createPoller(engine: Engine, trigger: EngineNode): Poller {
  let stored = '{}';
  let published: Workflow | undefined;

  const load = () => engine.workflow([trigger], JSON.parse(stored) as IDataObject);

  function store(workflow: Workflow): void {
    if (workflow.staticData.__dataChanged !== true) return;
    stored = JSON.stringify(workflow.staticData);
    workflow.staticData.__dataChanged = false;
  }

  async function run(workflow: Workflow, isPublishing: boolean): Promise<INodeExecutionData[]> {
    let items: INodeExecutionData[] = [];
    let failure: Error | undefined;
    const node = firstNode(workflow);
    const context = new n8nCore.PollContext(
      workflow,
      node,
      engine.additionalData('trigger', workflow),
      'trigger',
      isPublishing ? 'activate' : 'update',
      ([output = []]) => {
        items = output;
        store(workflow);
      },
      (error) => {
        failure = error;
      },
    );
    await execute(workflow, node, asDeclared<IPollFunctions>(context), isPublishing);
    if (failure) throw failure;
    if (isPublishing) store(workflow);
    return items;
  }

  async function sample(workflow: Workflow): Promise<INodeExecutionData[]> {
    const node = firstNode(workflow);
    const data = engine.additionalData('manual', workflow);
    const context = new n8nCore.PollContext(workflow, node, data, 'manual', 'manual');
    const [output = []] = (await pollOf(workflow, node, asDeclared<IPollFunctions>(context))) ?? [];
    return output;
  }

  return {
    staticData: () => JSON.parse(stored) as IDataObject,
    restart() {
      published = undefined;
    },
    async poll(mode = 'trigger') {
      if (mode === 'manual') return await sample(load());
      if (published) return await run(published, false);
      const workflow = load();
      const items = await run(workflow, true);
      published = workflow;
      return items;
    },
  };
}

async function execute(
  workflow: Workflow,
  node: INode,
  functions: IPollFunctions,
  isPublishing: boolean,
): Promise<void> {
  const executor = n8nContainer.get(n8nCore.PollTriggerExecutor);
  await executor.create(workflow, node, functions, () => true)(isPublishing);
}

async function pollOf(workflow: Workflow, node: INode, functions: IPollFunctions) {
  const { poll } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
  if (!poll) throw new Error('The node does not poll.');
  return await poll.call(functions);
}
