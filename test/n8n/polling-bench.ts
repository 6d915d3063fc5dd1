import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type {
  IDataObject,
  INode,
  INodeExecutionData,
  INodeParameters,
  IPollFunctions,
  Workflow,
  WorkflowActivateMode,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { ownSource, type Running, start } from '../relay/support/running-relay.ts';
import { asDeclared, n8nContainer, n8nCore } from './engine/n8n.ts';
import { SimulatedTime } from './simulated-time.ts';
import { Engine, type EngineNode, firstNode, startWorld, type World } from './world.ts';

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
  engine: Engine,
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
    await execute(workflow, firstNode(workflow), context, isPublishing, isCurrent);
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
    const [output = []] = (await pollOf(workflow, node, asDeclared<IPollFunctions>(context))) ?? [];
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

async function execute(
  workflow: Workflow,
  node: INode,
  functions: IPollFunctions | undefined,
  isPublishing: boolean,
  isCurrent: () => boolean,
): Promise<void> {
  const executor = n8nContainer.get(n8nCore.PollTriggerExecutor);
  await executor.create(workflow, node, asDeclared(functions), isCurrent)(isPublishing);
}

async function pollOf(workflow: Workflow, node: INode, functions: IPollFunctions) {
  const { poll } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
  if (!poll) throw new Error('The node does not poll.');
  return await poll.call(functions);
}

export const created = 'campaign_request.created';
export const listed = 'screen.listed';
export const rises = 'screen.availability_rises_above';
export const falls = 'screen.availability_falls_below';
export const period = { from: '2027-03-01', to: '2027-03-31' };
/** That a campaign request can change to. */
export const statuses = ['rejected', 'abandoned', 'no_inventory', 'converted'];
/** The screen whose available share tests set. */
export const screenId = 'scr_berlin_0001';

const ofScreens = { share_pct: 10, ...period, screenFilters: { city: 'Berlin' } };

/** A service, and polling triggers that poll it. */
class PolledService {
  world!: World;
  #triggers = 0;

  publish(
    events: string[],
    parameters: INodeParameters = {},
    staticData: IDataObject = {},
  ): Poller {
    this.#triggers += 1;
    const node = {
      // A copy of a node has another ID.
      id: `poller-${this.#triggers}`,
      type: 'screenAdvertisingPollingTrigger',
      // Read whenever n8n starts, so that a test may change them before.
      get parameters() {
        return { authentication: 'apiKey', events, ...ofScreens, ...parameters };
      },
    };
    return createPoller(this.world.engine, node, { staticData });
  }

  /** A trigger that has seen the existing campaign requests and screens. */
  async published(events: string[], parameters?: INodeParameters): Promise<Poller> {
    const poller = this.publish(events, parameters);
    expect(await poller.poll()).toEqual([]);
    return poller;
  }

  /** Adds a campaign request, or changes the one with this ID. */
  add(fields: object = {}): { readonly id: string } {
    return this.world.sandbox.campaignRequests.add(fields);
  }

  /** Sets the available share of the screen from now on, in percent. */
  set(available: number): void {
    const shares = { ad_sov_pct: 100, used_sov_pct: 100 - available };
    this.world.sandbox.screens.add({ id: screenId, ...shares });
  }
}

/** One service for the tests of a file, which each find as it was. */
export function usePolledService(): PolledService {
  const service = new PolledService();
  beforeAll(async () => {
    service.world = await startWorld({ clock: 'frozen', screens: 40 });
  });
  beforeEach(() => {
    service.world.sandbox.reset();
    service.set(0);
  });
  afterAll(() => service.world.stop());
  return service;
}

export const ids = (items: INodeExecutionData[]) =>
  items.map(({ json }) => (json.data as { id: string }).id);

export const changesIn = (items: INodeExecutionData[]) =>
  items.map(({ json }) => `${json.type} ${(json.data as { screen_id: string }).screen_id}`);

export const registered = 'user.registered';
export const paid = 'campaign.paid';
export const redeemed = 'coupon.redeemed';

/** A relay, and polling triggers with a key of it. Each test has its own source of events. */
export function usePolledRelay() {
  let shared: Running;
  let running: Running;
  let engine: Engine;
  /** How many events have happened, and how many triggers there are. */
  const count = { events: 0, triggers: 0 };

  beforeAll(async () => {
    shared = await start();
    // Retries wait for no real time.
    engine = await Engine.start({}, new SimulatedTime(shared.relay.clock));
  });
  beforeEach(async () => {
    running = await ownSource(shared);
    connectTo(running.url);
  });

  function connectTo(baseUrl: string, connectorKey = running.key.connectorKey): void {
    engine.credentials.screenAdvertisingRelayApi = { baseUrl, connectorKey };
  }

  function nodeFor(types: string[]): EngineNode {
    count.triggers += 1;
    const parameters = { authentication: 'relay', relayEvents: types };
    return { id: `relay-${count.triggers}`, type: 'screenAdvertisingPollingTrigger', parameters };
  }

  const publish = (types: string[]) => createPoller(engine, nodeFor(types));

  /** A trigger that was published before anything of what follows happened. */
  async function published(types: string[]): Promise<Poller> {
    const poller = publish(types);
    expect(await poller.poll()).toEqual([]);
    return poller;
  }

  /** The service delivers an event; gives its ID. */
  async function happens(type: string, to = running, id = `evt_${++count.events}`) {
    const { status } = await to.deliver({ id, type, data: { number: count.events } });
    expect(status).toBe(202);
    return id;
  }

  const happenMany = (type: string, many: number) =>
    Promise.all(Array.from({ length: many }, () => happens(type)));

  return {
    count,
    engine: () => engine,
    running: () => running,
    ...{ connectTo, nodeFor, publish, published, happens, happenMany },
  };
}

export const eventIds = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);
