import type {
  IDataObject,
  INodeExecutionData,
  IPollFunctions,
  Workflow,
  WorkflowActivateMode,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { asDeclared, type EngineNode, firstNode, type Host, n8nContainer, n8nCore } from './n8n.ts';

/** A published polling trigger, with everything that n8n keeps and stores between its polls. */
export interface Poller {
  /**
   * Polls once: returns the items that start an execution, none when nothing is new. Rejects as the
   * node does. As in n8n, the first poll is part of publishing the workflow.
   */
  poll(mode?: WorkflowExecuteMode): Promise<INodeExecutionData[]>;
  /** The errors with which the trigger has started failed executions while it continued. */
  readonly reported: readonly Error[];
  /** n8n restarts: only the stored data is left. */
  restart(): void;
  /** The next poll is part of publishing the workflow again. */
  unpublish(): void;
  /** The next poll is part of publishing another version over this one. */
  update(): void;
  /** The data as stored. */
  readonly staticData: () => IDataObject;
  /** Replaces it. */
  store(data: IDataObject): void;
}

interface PollerOptions {
  /**
   * As with n8n's durable poll cursors: each poll starts from what is stored; what it changes is
   * stored when it ends, with its execution or alone, but not when it throws or takes longer than
   * its budget, and not by n8n itself at publishing.
   */
  readonly budgetMs?: number;
  /** What n8n has stored before. */
  readonly staticData?: IDataObject;
}

/**
 * Runs the trigger's `poll` through n8n's own poller. As in n8n, the workflow stays in memory while
 * it is published. Its static data is stored when it is published and when a poll returns items,
 * but not after a poll that returns none.
 */
export function createPoller(
  engine: Host,
  trigger: EngineNode,
  { budgetMs, staticData = {} }: PollerOptions = {},
): Poller {
  let stored = JSON.stringify(staticData);
  let published: Published | undefined;
  let activation: WorkflowActivateMode = 'activate';
  const reported: Error[] = [];
  const isDurable = budgetMs !== undefined;

  const load = () => engine.workflow([trigger], JSON.parse(stored) as IDataObject);

  function store(workflow: Workflow): void {
    if (!isDurable && workflow.staticData.__dataChanged !== true) return;
    stored = JSON.stringify(workflow.staticData);
    workflow.staticData.__dataChanged = false;
  }

  function contextOf(workflow: Workflow, isPublishing: boolean): Published {
    const result: Published = { workflow, items: [], isDone: false };
    const context = new n8nCore.PollContext(
      workflow,
      firstNode(workflow),
      engine.additionalData('trigger', workflow),
      'trigger',
      isPublishing ? activation : 'update',
      ([output = []]) => {
        result.items = output;
        result.isDone = true;
        store(workflow);
      },
      (error) => {
        if (result.failure) reported.push(result.failure);
        result.failure = error;
      },
      async () => {
        result.isDone = true;
        if (isDurable) store(workflow);
      },
      undefined,
      undefined,
      // At publishing, n8n gives a poll as long as it takes.
      isDurable && !isPublishing ? () => budgetMs : undefined,
    );
    result.context = asDeclared<IPollFunctions>(context);
    return result;
  }

  async function run(given: Published, isPublishing: boolean): Promise<INodeExecutionData[]> {
    // n8n keeps the context as long as the workflow is published, but not with durable cursors.
    const current = isDurable && !isPublishing ? contextOf(load(), false) : given;
    const { workflow, context } = current;
    Object.assign(current, { items: [], isDone: false, failure: undefined });
    const isCurrent = () => isDurable || published === given;
    const executor = n8nContainer.get(n8nCore.PollTriggerExecutor);
    const functions = asDeclared<IPollFunctions>(context);
    await executor.create(workflow, firstNode(workflow), functions, isCurrent)(isPublishing);
    const { failure, isDone, items } = current;
    if (failure && !isDone) throw failure;
    if (failure) reported.push(failure);
    if (isPublishing && !isDurable) store(workflow);
    return items;
  }

  async function sample(workflow: Workflow): Promise<INodeExecutionData[]> {
    const node = firstNode(workflow);
    const data = engine.additionalData('manual', workflow);
    const context = new n8nCore.PollContext(workflow, node, data, 'manual', 'manual');
    const { poll } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
    const [output = []] = (await poll?.call(asDeclared<IPollFunctions>(context))) ?? [];
    return output;
  }

  return {
    reported,
    staticData: () => JSON.parse(stored) as IDataObject,
    store(data) {
      stored = JSON.stringify(data);
    },
    restart() {
      published = undefined;
      activation = 'init';
    },
    unpublish() {
      published = undefined;
      activation = 'activate';
    },
    update() {
      published = undefined;
      activation = 'update';
    },
    async poll(mode = 'trigger') {
      if (mode === 'manual') return await sample(load());
      if (published) return await run(published, false);
      if (activation === 'init') await engine.restart();
      const publishing = contextOf(load(), true);
      const items = await run(publishing, true);
      published = publishing;
      return items;
    },
  };
}

/** A published workflow, and what its last poll gave n8n. */
interface Published {
  readonly workflow: Workflow;
  context?: IPollFunctions;
  items: INodeExecutionData[];
  isDone: boolean;
  failure?: Error | undefined;
}
