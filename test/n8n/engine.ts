import { channel } from 'node:diagnostics_channel';
import type { Sandbox } from '@screen-advertising/sandbox';
import type {
  ICredentialDataDecryptedObject,
  ICredentialsHelper,
  ICredentialType,
  IDataObject,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  INode,
  INodeExecutionData,
  INodeListSearchResult,
  INodeParameters,
  INodeProperties,
  INodeType,
  INodeTypes,
  IRun,
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
  n8nWorkflow,
  packageName,
  type Time,
} from './n8n.ts';

/** taint/install.ts searches what is published here for secrets. */
const [shown, failed] = [channel('test:shown'), channel('test:failed')];

export const actionNode = 'Screen Advertising';

export interface RunOptions {
  /** The input of the node; default: one empty item. */
  readonly items?: readonly IDataObject[];
  readonly mode?: WorkflowExecuteMode;
  readonly executionId?: string;
  /** Ends the execution as the stop button does. */
  readonly signal?: AbortSignal;
}

export interface WorkflowResult {
  readonly run: IRun;
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
    const { items = [{}], mode = 'manual', executionId, signal } = options;
    const workflow = this.workflow([{ name: 'Start', type: startType, parameters: {} }, node]);
    const input = items.map((json, item) => ({ json, pairedItem: { item } }));
    const runData = n8nWorkflow.createRunExecutionData({
      executionData: {
        nodeExecutionStack: [{ node: firstNode(workflow), data: { main: [input] }, source: null }],
      },
    });
    const data = this.additionalData(mode, workflow, executionId);
    const execute = new n8nCore.WorkflowExecute(data, mode, runData);
    const execution = execute.processRunExecutionData(workflow);
    signal?.addEventListener('abort', () => execution.cancel(), { once: true });
    return resultOf(await execution);
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

  workflow(nodes: readonly EngineNode[], staticData?: IDataObject): Workflow {
    const built = nodes.map((node, index) => this.#node(node, index));
    const [first, second] = built;
    const links = second ? [{ node: second.name, type: 'main' as const, index: 0 }] : [];
    return new n8nWorkflow.Workflow({
      id: 'workflow-1',
      name: 'Workflow',
      nodes: built,
      connections: first ? { [first.name]: { main: [links] } } : {},
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
      credentialsHelper: credentialsHelper(this.package.credentials, this.credentials),
      hooks: new n8nCore.ExecutionLifecycleHooks(mode, executionId, workflowData as never),
      executionId,
      currentNodeExecutionIndex: 0,
      instanceBaseUrl: `${base}/`,
      formWaitingBaseUrl: `${base}/form-waiting`,
      webhookBaseUrl: `${base}/webhook`,
      webhookWaitingBaseUrl: `${base}/webhook-waiting`,
      webhookTestBaseUrl: `${base}/webhook-test`,
      variables: {},
      setExecutionStatus: () => undefined,
    } as unknown as IWorkflowExecuteAdditionalData;
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

function resultOf(run: IRun): WorkflowResult {
  const { runData, error } = run.data.resultData;
  shown.publish({ where: "n8n's execution record", value: run });
  if (error) failed.publish({ where: "n8n's error", value: error });
  return {
    run,
    error: error as WorkflowResult['error'],
    output(nodeName, outputIndex = 0) {
      return runData[nodeName]?.at(-1)?.data?.main?.[outputIndex] ?? [];
    },
  };
}

const startType = 'engine.start';

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

/** The package's nodes under its name, as n8n registers them, and the start node. */
function nodeTypes(nodes: LoadedPackage['nodes']): INodeTypes {
  const find = (type: string): INodeType => {
    const name = type.replace(`${packageName}.`, '');
    // n8n gives a node that an AI agent uses this other name.
    const ofPackage = nodes.get(name) ?? nodes.get(name.replace(/Tool$/, ''));
    const node = type === startType ? start : ofPackage;
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
function credentialsHelper(
  types: ReadonlyMap<string, ICredentialType>,
  stored: StoredCredentials,
): ICredentialsHelper {
  function typeOf(name: string): ICredentialType {
    const type = types.get(name);
    if (!type) throw new Error(`The package has no credential type ${name}.`);
    return type;
  }

  const helper: Partial<ICredentialsHelper> = {
    getParentTypes: () => [],
    isCredentialUsableByNode: () => true,
    getCredentialsProperties: (name) => typeOf(name).properties,

    async authenticate(credentials, name, request) {
      const { authenticate } = typeOf(name);
      if (typeof authenticate !== 'function') return request as IHttpRequestOptions;
      return authenticate(credentials, request as IHttpRequestOptions);
    },

    async preAuthentication(helpers, credentials, name, _node, isExpired) {
      const { properties, preAuthentication } = typeOf(name);
      const expirable = properties.find(({ typeOptions }) => typeOptions?.expirable === true);
      if (!expirable || (credentials[expirable.name] !== '' && !isExpired)) return undefined;
      const output = await preAuthentication?.call(helpers, credentials);
      const token = output?.[expirable.name];
      if (token === undefined) return undefined;
      stored[name] = { ...stored[name], [expirable.name]: token as string };
      return { ...credentials, ...(output as ICredentialDataDecryptedObject) };
    },

    async getDecrypted(_data, _details, name, mode, _execution, _raw, at) {
      const known = stored[name];
      if (!known) throw new Error(`No credential of the type ${name} is stored.`);
      const defaults = typeOf(name).properties.map((one) => [one.name, one.default]);
      const all: ICredentialDataDecryptedObject = { ...Object.fromEntries(defaults), ...known };
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
    },
  };
  return helper as ICredentialsHelper;
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
