import { beforeAll, beforeEach, expect } from '@jest/globals';
import type { INodeExecutionData } from 'n8n-workflow';
import { ownSource, type Running, start } from '../relay/support/running-relay.ts';
import { Engine, type EngineNode } from './engine/engine.ts';
import { createPoller, type Poller } from './engine/poller.ts';
import { SimulatedTime } from './simulated-time.ts';

export const registered = 'user.registered';
export const paid = 'campaign.paid';
export const redeemed = 'coupon.redeemed';

/** A relay, and polling triggers with a key of it. */
class PolledRelay {
  engine!: Engine;
  running!: Running;
  /** How many events have happened. */
  events = 0;
  #triggers = 0;
  #relay!: Running;

  async start(): Promise<void> {
    // Retries wait for no real time.
    this.#relay = await start();
    this.engine = await Engine.start({}, new SimulatedTime(this.#relay.relay.clock));
  }

  async begin(): Promise<void> {
    this.running = await ownSource(this.#relay);
    this.connectTo(this.running.url);
  }

  connectTo(baseUrl: string, connectorKey = this.running.key.connectorKey): void {
    this.engine.credentials.screenAdvertisingRelayApi = { baseUrl, connectorKey };
  }

  nodeFor(types: string[]): EngineNode {
    this.#triggers += 1;
    return {
      id: `relay-${this.#triggers}`,
      type: 'screenAdvertisingPollingTrigger',
      parameters: { authentication: 'relay', relayEvents: types },
    };
  }

  publish(types: string[]): Poller {
    return createPoller(this.engine, this.nodeFor(types));
  }

  /** A trigger that was published before anything of what follows happened. */
  async published(types: string[]): Promise<Poller> {
    const poller = this.publish(types);
    expect(await poller.poll()).toEqual([]);
    return poller;
  }

  /** The service delivers an event; gives its ID. */
  async happens(type: string, to = this.running, id = `evt_${++this.events}`): Promise<string> {
    const { status } = await to.deliver({ id, type, data: { number: this.events } });
    expect(status).toBe(202);
    return id;
  }

  async happenMany(type: string, count: number): Promise<string[]> {
    return await Promise.all(Array.from({ length: count }, () => this.happens(type)));
  }
}

/** For the tests of one file, each with its own source of events. */
export function usePolledRelay(): PolledRelay {
  const relay = new PolledRelay();
  beforeAll(() => relay.start());
  beforeEach(() => relay.begin());
  return relay;
}

export const ids = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);
