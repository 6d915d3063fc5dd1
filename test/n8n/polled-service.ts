import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { createPoller, type Poller } from './engine/poller.ts';
import { startWorld, type World } from './world.ts';

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
