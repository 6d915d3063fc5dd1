import type {
  IConnections,
  IDataObject,
  ILoadOptionsFunctions,
  INode,
  INodeExecutionData,
  INodeListSearchResult,
  INodeParameters,
  IRun,
  IRunExecutionData,
  IWorkflowExecuteAdditionalData,
  Workflow,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { watch } from '../../taint/watch.ts';
import { MemoryCredentialsHelper, type StoredCredentials } from './credentials-helper.ts';
import { type LoadedPackage, loadPackage, packageName, type Time } from './load-package.ts';
import { asDeclared, n8nCore, n8nSsrfBridge, n8nWorkflow } from './n8n.ts';
import { nodeTypes, startType } from './node-types.ts';

/** A node of a workflow; `type` is that of the package, such as `screenAdvertising`. */
export interface EngineNode extends Partial<Omit<INode, 'type' | 'parameters'>> {
  readonly type: string;
  readonly parameters: INodeParameters;
}

export interface RunOptions {
  /** The input of the first node; default: one empty item. */
  readonly items?: readonly IDataObject[];
  readonly mode?: WorkflowExecuteMode;
  readonly executionId?: string;
  /** Which node passes items to which; default: each to the next one. */
  readonly connections?: IConnections;
  /** Ends the execution as the stop button does. */
  readonly signal?: AbortSignal;
}

export interface WorkflowResult {
  readonly run: IRun;
  readonly workflow: Workflow;
  /** The items that each node returned on its outputs, by node name. */
  output(nodeName: string, outputIndex?: number): INodeExecutionData[];
  /** The error that ended the execution. */
  readonly error: (Error & { description?: string | null; httpCode?: string | null }) | undefined;
}

/** What n8n calls a new credential. */
const credentialName = 'Screen Advertising account';

export function firstNode({ nodes }: Workflow): INode {
  const [node] = Object.values(nodes);
  if (!node) throw new Error('A workflow needs a node.');
  return node;
}

/** n8n's own engine in this process, with the package as it would be published. */
export class Engine {
  package: LoadedPackage;
  /** Credentials by type. n8n stores renewed tokens here. */
  readonly credentials: StoredCredentials;
  /** Of the workflows. */
  timezone = 'America/New_York';
  readonly #time: Time | undefined;
  #executions = 0;

  private constructor(loaded: LoadedPackage, credentials: StoredCredentials, time?: Time) {
    this.package = loaded;
    this.credentials = credentials;
    this.#time = time;
  }

  static async start(credentials: StoredCredentials = {}, time?: Time): Promise<Engine> {
    return new Engine(await loadPackage(time), credentials, time);
  }

  /** As after a restart of n8n, the package remembers nothing. */
  async restart(): Promise<void> {
    this.package = await loadPackage(this.#time);
  }

  /** Runs one node after a start node that passes it the items. */
  async runNode(node: EngineNode, options: RunOptions = {}): Promise<WorkflowResult> {
    return await this.runWorkflow(
      [{ name: 'Start', type: startType, parameters: {} }, node],
      options,
    );
  }

  /** Runs connected nodes; the first one gets the items. */
  async runWorkflow(
    nodes: readonly EngineNode[],
    options: RunOptions = {},
  ): Promise<WorkflowResult> {
    const { items = [{}], mode = 'manual', connections, signal } = options;
    const workflow = this.workflow(nodes, undefined, connections);
    const first = firstNode(workflow);
    const runData = n8nWorkflow.createRunExecutionData({
      executionData: {
        nodeExecutionStack: [
          {
            node: first,
            data: { main: [items.map((json, item) => ({ json, pairedItem: { item } }))] },
            source: null,
          },
        ],
      },
    });
    const execution = this.#execute(workflow, mode, runData, options.executionId);
    signal?.addEventListener('abort', () => execution.cancel(), { once: true });
    return resultOf(await execution, workflow);
  }

  /** Runs a failed execution again from the node that failed, as n8n's list of executions does. */
  async retry({ run, workflow }: WorkflowResult): Promise<WorkflowResult> {
    const { resultData } = run.data;
    delete resultData.error;
    const runs = resultData.runData[resultData.lastNodeExecuted ?? ''];
    if (runs?.at(-1)?.error) runs.pop();
    // As it comes back from the database.
    const stored = JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
    return resultOf(await this.#execute(workflow, 'retry', stored), workflow);
  }

  /** The list that a resource locator shows. */
  async listSearch(
    node: EngineNode,
    method: string,
    filter?: string,
    paginationToken?: string,
  ): Promise<INodeListSearchResult> {
    const workflow = this.workflow([node]);
    const built = firstNode(workflow);
    const context = new n8nCore.LoadOptionsContext(
      workflow,
      built,
      { ...this.additionalData('manual', workflow), currentNodeParameters: built.parameters },
      '',
    );
    const search = this.package.nodes.get(node.type)?.methods?.listSearch?.[method];
    if (!search) throw new Error(`The node has no list ${method}.`);
    return await search.call(asDeclared<ILoadOptionsFunctions>(context), filter, paginationToken);
  }

  workflow(
    nodes: readonly EngineNode[],
    staticData?: IDataObject,
    connections?: IConnections,
  ): Workflow {
    const built = nodes.map((node, index) => this.#node(node, index));
    return new n8nWorkflow.Workflow({
      id: 'workflow-1',
      name: 'Workflow',
      nodes: built,
      connections: connections ?? inLine(built),
      active: false,
      nodeTypes: nodeTypes(this.package.nodes),
      ...(staticData && { staticData }),
      settings: { executionOrder: 'v1', timezone: this.timezone },
    });
  }

  additionalData(
    mode: WorkflowExecuteMode,
    workflow: Workflow,
    executionId = `${++this.#executions}`,
  ): IWorkflowExecuteAdditionalData {
    const base = 'http://127.0.0.1:5678';
    const workflowData = { id: workflow.id, name: 'Workflow', nodes: [], connections: {} };
    return {
      credentialsHelper: new MemoryCredentialsHelper(this.package.credentials, this.credentials),
      hooks: new n8nCore.ExecutionLifecycleHooks(mode, executionId, workflowData as never),
      executionId,
      currentNodeExecutionIndex: 0,
      instanceBaseUrl: `${base}/`,
      restApiUrl: `${base}/rest`,
      formBaseUrl: `${base}/form`,
      formWaitingBaseUrl: `${base}/form-waiting`,
      formTestBaseUrl: `${base}/form-test`,
      webhookBaseUrl: `${base}/webhook`,
      webhookWaitingBaseUrl: `${base}/webhook-waiting`,
      webhookTestBaseUrl: `${base}/webhook-test`,
      variables: {},
      setExecutionStatus: () => undefined,
      ssrfBridge: n8nSsrfBridge(),
    } as unknown as IWorkflowExecuteAdditionalData;
  }

  #execute(
    workflow: Workflow,
    mode: WorkflowExecuteMode,
    runData: IRunExecutionData,
    executionId?: string,
  ) {
    const data = this.additionalData(mode, workflow, executionId);
    return new n8nCore.WorkflowExecute(data, mode, runData).processRunExecutionData(workflow);
  }

  #node(node: EngineNode, index: number): INode {
    const description = this.package.nodes.get(node.type)?.description;
    const credentials = description?.credentials?.map(({ name }) => name) ?? [];
    const stored = credentials.filter((name) => name in this.credentials);
    return {
      id: `node-${index}`,
      name: description?.defaults.name?.toString() ?? node.type,
      typeVersion: [description?.version ?? 1].flat().at(-1) ?? 1,
      position: [index * 200, 0],
      credentials: Object.fromEntries(
        stored.map((name) => [name, { id: name, name: credentialName }]),
      ),
      ...node,
      type: node.type.includes('.') ? node.type : `${packageName}.${node.type}`,
    };
  }
}

function inLine(nodes: readonly INode[]): IConnections {
  return Object.fromEntries(
    nodes
      .slice(0, -1)
      .map(({ name }, index) => [
        name,
        { main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main', index: 0 }]] },
      ]),
  );
}

function resultOf(run: IRun, workflow: Workflow): WorkflowResult {
  const { runData, error } = run.data.resultData;
  watch.data("n8n's execution record", run);
  if (error) watch.failure("n8n's error", error);
  return {
    run,
    workflow,
    error: error as WorkflowResult['error'],
    output(nodeName, outputIndex = 0) {
      return runData[nodeName]?.at(-1)?.data?.main?.[outputIndex] ?? [];
    },
  };
}
