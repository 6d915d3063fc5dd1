import { beforeAll, beforeEach, expect } from '@jest/globals';
import type { INodeExecutionData } from 'n8n-workflow';
import { ownSource, type Running, start } from '../relay/support/running-relay.ts';
import { Engine } from './engine.ts';
import type { EngineNode } from './n8n.ts';
import { createPoller, type Poller } from './poller.ts';
import { SimulatedTime } from './simulated-time.ts';

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
