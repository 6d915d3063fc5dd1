import { channel } from 'node:diagnostics_channel';
import type {
  IDataObject,
  IHookFunctions,
  IWebhookDescription,
  Workflow,
  WorkflowActivateMode,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { asDeclared, type EngineNode, firstNode, type Host, n8nCore } from './n8n.ts';

/** n8n gives up a workflow for good at its start when an error's message holds this. */
export const wordThatEndsRetries = 'Authorization';

/** One of n8n's main processes, reduced to publishing a workflow with a webhook trigger. */
export interface Main {
  /**
   * As when a user publishes, or when n8n starts (`init`). Rejects with the error that n8n shows.
   */
  publish(activation?: WorkflowActivateMode): Promise<void>;
  /** Never rejects: n8n only logs what fails. */
  unpublish(): Promise<void>;
  /** n8n is killed once the webhooks are registered, before it saves static data. */
  killedWhilePublishing(activation?: WorkflowActivateMode): Promise<void>;
  /** A user listens for a test event, until the returned function is called. */
  listen(): Promise<() => Promise<void>>;
}

interface MainOptions {
  /** Where static data is stored; shared by the main processes of one n8n. */
  readonly database: { staticData: string };
  /** `WEBHOOK_URL`, read each time. */
  readonly webhookUrl: () => string;
  /** The same for test events; default: `webhookUrl`. */
  readonly testUrl?: () => string;
  /** ID of the workflow; a copy has a different one. */
  readonly identity?: { readonly id: string; readonly name: string };
}

type Method = 'checkExists' | 'create' | 'delete';
type Modes = readonly [mode: WorkflowExecuteMode, activation: WorkflowActivateMode];

/**
 * Runs the trigger's `webhookMethods` in the order of n8n 2.40 and with the same static data. n8n
 * saves what publishing changed after all webhooks are registered; if that fails, it deletes them
 * with the data saved before. Each test has separate static data.
 */
export function createMain(engine: Host, trigger: EngineNode, options: MainOptions): Main {
  const { database, webhookUrl, testUrl = webhookUrl, identity } = options;

  async function run(
    workflow: Workflow,
    method: Method,
    [mode, activation]: Modes,
    isTest = false,
  ) {
    const node = firstNode(workflow);
    const { description, webhookMethods } = workflow.nodeTypes.getByNameAndVersion(
      node.type,
      node.typeVersion,
    ) as { description: { webhooks?: IWebhookDescription[] }; webhookMethods?: Methods };
    const context = new n8nCore.HookContext(
      workflow,
      node,
      {
        ...engine.additionalData(mode, workflow),
        webhookBaseUrl: `${webhookUrl()}/webhook`,
        webhookTestBaseUrl: `${testUrl()}/webhook`,
      },
      mode,
      activation,
      { webhookDescription: description.webhooks?.[0], isTest } as never,
    );
    return await webhookMethods?.default?.[method]?.call(asDeclared<IHookFunctions>(context));
  }

  async function add(workflow: Workflow, modes: Modes, isTest = false): Promise<void> {
    if (!(await run(workflow, 'checkExists', modes, isTest))) {
      await run(workflow, 'create', modes, isTest);
    }
  }

  function load(staticData: string): Workflow {
    const workflow = engine.workflow([trigger], JSON.parse(staticData) as IDataObject);
    return Object.assign(workflow, identity);
  }

  function save(workflow: Workflow): void {
    if (workflow.staticData.__dataChanged !== true) return;
    channel('test:shown').publish({ where: "n8n's static data", value: workflow.staticData });
    database.staticData = JSON.stringify(workflow.staticData);
  }

  async function clear(): Promise<void> {
    const workflow = load(database.staticData);
    await run(workflow, 'delete', ['internal', 'update']);
    save(workflow);
  }

  async function publish(activation: WorkflowActivateMode): Promise<Workflow> {
    const workflow = load(database.staticData);
    try {
      await add(workflow, ['trigger', activation]);
    } catch (error) {
      channel('test:failed').publish({ where: "n8n's error", value: error });
      await clear();
      throw error;
    }
    return workflow;
  }

  return {
    publish: async (activation = 'activate') => save(await publish(activation)),
    unpublish: clear,
    killedWhilePublishing: async (activation = 'activate') => {
      await publish(activation);
    },
    async listen() {
      const workflow = load('{}');
      const stop = async () => {
        await run(workflow, 'delete', ['internal', 'update'], true);
      };
      try {
        await add(workflow, ['manual', 'manual'], true);
      } catch (error) {
        await stop();
        throw error;
      }
      return stop;
    },
  };
}

type Methods = Record<string, Record<Method, (this: IHookFunctions) => Promise<boolean>>>;
