import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { credentialsOf, Engine } from './engine.ts';
import { createPoller, type Poller } from './poller.ts';
import { SimulatedTime } from './simulated-time.ts';

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
  sandbox!: Sandbox;
  baseUrl!: string;
  engine!: Engine;
  readonly #budgetMs: number | undefined;
  #triggers = 0;

  constructor(budgetMs?: number) {
    this.#budgetMs = budgetMs;
  }

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
    return createPoller(this.engine, node, {
      staticData,
      ...(this.#budgetMs && { budgetMs: this.#budgetMs }),
    });
  }

  /** A trigger that has seen the existing campaign requests and screens. */
  async published(events: string[], parameters?: INodeParameters): Promise<Poller> {
    const poller = this.publish(events, parameters);
    expect(await poller.poll()).toEqual([]);
    return poller;
  }

  /** Adds a campaign request, or changes the one with this ID. */
  add(fields: object = {}): { readonly id: string } {
    return this.sandbox.campaignRequests.add(fields);
  }

  /** Sets the available share of the screen from now on, in percent. */
  set(available: number, id = screenId): void {
    this.sandbox.screens.add({ id, ad_sov_pct: 100, used_sov_pct: 100 - available });
  }
}

/** One service for the tests of a file, which each find as it was; `budgetMs` is that of its pollers. */
export function usePolledService(budgetMs?: number): PolledService {
  const service = new PolledService(budgetMs);
  beforeAll(async () => {
    service.sandbox = createSandbox({ clock: 'frozen', screens: 40 });
    ({ baseUrl: service.baseUrl } = await service.sandbox.listen());
    const time = new SimulatedTime(service.sandbox.clock);
    service.engine = await Engine.start(credentialsOf(service.sandbox, service.baseUrl), time);
  });
  beforeEach(() => {
    service.sandbox.reset();
    service.set(0);
  });
  afterAll(() => service.sandbox.close());
  return service;
}

export const ids = (items: INodeExecutionData[]) =>
  items.map(({ json }) => (json.data as { id: string }).id);

export const changesIn = (items: INodeExecutionData[]) =>
  items.map(({ json }) => `${json.type} ${(json.data as { screen_id: string }).screen_id}`);
