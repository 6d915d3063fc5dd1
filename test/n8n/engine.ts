import { channel } from 'node:diagnostics_channel';
import type { Sandbox } from '@screen-advertising/sandbox';
import type {
  IConnections,
  ICredentialDataDecryptedObject,
  ICredentials,
  ICredentialsExpressionResolveValues,
  ICredentialsHelper,
  ICredentialType,
  IDataObject,
  IExecuteData,
  IHttpRequestHelper,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  INode,
  INodeCredentialsDetails,
  INodeExecutionData,
  INodeListSearchResult,
  INodeParameters,
  INodeProperties,
  INodeType,
  INodeTypes,
  IRun,
  IRunExecutionData,
  IVersionedNodeType,
  IWorkflowExecuteAdditionalData,
  Workflow,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import {
  asDeclared,
  type EngineNode,
  firstNode,
  type Host,
  type LoadedPackage,
  loadPackage,
  n8nCore,
  n8nSsrfBridge,
  n8nWorkflow,
  packageName,
  type Time,
} from './n8n.ts';

/** taint/install.ts searches what is published here for secrets. */
const [shown, failed] = [channel('test:shown'), channel('test:failed')];

export const actionNode = 'Screen Advertising';

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
  readonly error:
    | (Error & {
        description?: string | null;
        httpCode?: string | null;
        errorResponse?: unknown;
      })
    | undefined;
}

/** What n8n calls a new credential. */
const credentialName = 'Screen Advertising account';

/** n8n's own engine in this process, with the package as it would be published. */
export class Engine implements Host {
  package: LoadedPackage;
  /** Credentials by type. n8n stores renewed tokens here. */
  readonly credentials: StoredCredentials;
  /** Stand-ins for n8n's own nodes, if a workflow has some: those of core-nodes.ts. */
  coreNodes: ReadonlyMap<string, INodeType> = new Map();
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
      nodeTypes: nodeTypes(this.package.nodes, this.coreNodes),
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
  shown.publish({ where: "n8n's execution record", value: run });
  if (error) failed.publish({ where: "n8n's error", value: error });
  return {
    run,
    workflow,
    error: error as WorkflowResult['error'],
    output(nodeName, outputIndex = 0) {
      return runData[nodeName]?.at(-1)?.data?.main?.[outputIndex] ?? [];
    },
  };
}

/** Starts a workflow with the given items. */
const start: INodeType = {
  description: {
    displayName: 'Start',
    name: 'start',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow with the items it is handed',
    defaults: { name: 'Start' },
    inputs: [],
    outputs: ['main'],
    properties: [],
  },
  async execute() {
    return [this.getInputData()];
  },
};

export const startType = 'engine.start';

type Nodes = ReadonlyMap<string, INodeType>;

/** The package's nodes under its name, as n8n registers them, others, and the start node. */
function nodeTypes(nodes: Nodes, others: Nodes): INodeTypes {
  const find = (type: string): INodeType => {
    const name = type.replace(`${packageName}.`, '');
    // n8n gives a node that an AI agent uses this other name.
    const ofPackage = nodes.get(name) ?? nodes.get(name.replace(/Tool$/, ''));
    const node = type === startType ? start : (others.get(type) ?? ofPackage);
    if (!node) throw new Error(`There is no node of the type ${type}.`);
    return node.description.polling ? withPollTimes(node) : node;
  };
  return {
    getByName: find as (type: string) => INodeType | IVersionedNodeType,
    getByNameAndVersion: find,
    getKnownTypes: () => ({}),
  };
}

/** As n8n adds it to every node that polls. */
const pollTimes: INodeProperties = {
  displayName: 'Poll Times',
  name: 'pollTimes',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  default: { item: [{ mode: 'everyMinute' }] },
  options: n8nWorkflow.cronNodeOptions,
};

function withPollTimes(node: INodeType): INodeType {
  const { description } = node;
  const properties = [pollTimes, ...description.properties];
  return Object.create(node, { description: { value: { ...description, properties } } });
}

export type StoredCredentials = Record<string, ICredentialDataDecryptedObject>;

/**
 * n8n's own helper lives in its server. This one keeps credentials in memory and follows the same
 * rules: it fetches a token when its property is empty or the last one was refused, without a lock,
 * stores the new one, and leaves the expressions of a credential as they are.
 */
class MemoryCredentialsHelper implements ICredentialsHelper {
  readonly #types: ReadonlyMap<string, ICredentialType>;
  readonly #stored: StoredCredentials;

  constructor(types: ReadonlyMap<string, ICredentialType>, stored: StoredCredentials) {
    this.#types = types;
    this.#stored = stored;
  }

  getParentTypes(): string[] {
    return [];
  }

  isCredentialUsableByNode(): boolean {
    return true;
  }

  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    requestOptions: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    const { authenticate } = this.#type(typeName);
    if (typeof authenticate !== 'function') return requestOptions;
    return authenticate(credentials, requestOptions);
  }

  async preAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    node: INode,
    credentialsExpired: boolean,
  ): Promise<ICredentialDataDecryptedObject | undefined> {
    const { preAuthentication, properties } = this.#type(typeName);
    const expirable = properties.find(({ typeOptions }) => typeOptions?.expirable === true);
    if (!preAuthentication || !expirable) return undefined;
    if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
    const output = await this.runPreAuthentication(helpers, credentials, typeName);
    if (!output || output[expirable.name] === undefined) return undefined;
    const details = node.credentials?.[typeName];
    const token = { [expirable.name]: output[expirable.name] as string };
    if (details)
      await this.updateCredentials(details, typeName, { ...this.#stored[typeName], ...token });
    return { ...credentials, ...output };
  }

  async runPreAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
  ): Promise<ICredentialDataDecryptedObject | undefined> {
    const output = await this.#type(typeName).preAuthentication?.call(helpers, credentials);
    return output as ICredentialDataDecryptedObject | undefined;
  }

  async getCredentials(): Promise<ICredentials> {
    throw new Error('Credentials are not encrypted here.');
  }

  async getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    _details: INodeCredentialsDetails,
    typeName: string,
    mode: WorkflowExecuteMode,
    _executeData?: IExecuteData,
    _raw?: boolean,
    at?: ICredentialsExpressionResolveValues,
  ): Promise<ICredentialDataDecryptedObject> {
    const stored = this.#stored[typeName];
    if (!stored) throw new Error(`No credential of the type ${typeName} is stored.`);
    const properties = this.getCredentialsProperties(typeName);
    const defaults = Object.fromEntries(
      properties.map((property) => [property.name, property.default]),
    );
    const all = { ...(defaults as ICredentialDataDecryptedObject), ...stored };
    if (!at || !Object.values(all).some((value) => String(value).startsWith('='))) return all;
    const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = at;
    return workflow.expression.getParameterValue(
      all as INodeParameters,
      runExecutionData,
      runIndex,
      itemIndex,
      node.name,
      connectionInputData,
      mode,
      {},
    ) as ICredentialDataDecryptedObject;
  }

  async updateCredentials(
    _details: INodeCredentialsDetails,
    typeName: string,
    data: ICredentialDataDecryptedObject,
  ): Promise<void> {
    this.#stored[typeName] = data;
  }

  async updateCredentialsOauthTokenData(): Promise<void> {}

  getCredentialsProperties(typeName: string): INodeProperties[] {
    return this.#type(typeName).properties;
  }

  #type(typeName: string): ICredentialType {
    const type = this.#types.get(typeName);
    if (!type) throw new Error(`The package has no credential type ${typeName}.`);
    return type;
  }
}

/** Everything that n8n stores for an access, by credential type. */
export function credentialsOf(sandbox: Sandbox, baseUrl: string, id?: string): StoredCredentials {
  const access = sandbox.accesses.find((other) => other.id === id) ?? sandbox.accesses[0];
  return {
    screenAdvertisingApi: { baseUrl, apiKey: access.apiKey },
    screenAdvertisingClientCredentialsApi: {
      baseUrl,
      clientId: access.clientId,
      clientSecret: access.clientSecret,
    },
    screenAdvertisingWebhookApi: { signingSecret: access.signingSecret },
  };
}
