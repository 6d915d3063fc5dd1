import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Leases, type Vacancy } from '../../../packages/relay/src/sender/leases.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, startActor } from '../support/actor.ts';
import { type Running, start } from '../support/running-relay.ts';
import { deliveriesOf, deliverTo } from './scene.ts';

const type = 'campaign.paid';

async function subscribe(running: Running, count: number, token?: string, events = [type]) {
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const target_url = `http://127.0.0.1:9/${token ? 'other' : 'own'}/${nth}`;
    const { body } = await running.call('PUT', '/subscriptions', { target_url, events }, token);
    ids.push(body.id);
  }
  return ids;
}

/** The numbers of the subscriptions that would be delivered to first, from 1. */
async function claimed(running: Running, vacancy: Partial<Vacancy>): Promise<number[]> {
  const pool = new Pool({ connectionString: running.databaseUrl });
  try {
    const all = { free: 2, freeForSlow: 1, slow: [], heldByToken: new Map(), ...vacancy };
    const { leases } = await new Leases(pool).claim(running.relay.clock.now(), all);
    return leases.map(({ subscription }) => subscription).sort((a, b) => a - b);
  } finally {
    await pool.end();
  }
}

describe('places go', () => {
  it('to each token in turn, however many subscriptions one has', async () => {
    const running = await start({ role: 'ingress' });
    const { token } = await running.relay.tokens.create('main', 'other');
    await subscribe(running, 20);
    await subscribe(running, 1, token);
    await running.deliver({ id: '1', type });
    expect(await claimed(running, { heldByToken: new Map([[1, 3]]) })).toContain(21);
  });

  it('to the newest delivery, beside an event to many subscriptions', async () => {
    const running = await start({ role: 'ingress' });
    await subscribe(running, 20);
    await subscribe(running, 1, undefined, ['user.registered']);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(1);
    await running.deliver({ id: '2', type: 'user.registered' });
    expect(await claimed(running, {})).toContain(21);
  });

  it('to slow subscribers only as far as there is one for them', async () => {
    const running = await start({ role: 'ingress' });
    await subscribe(running, 4);
    await running.deliver({ id: '1', type });
    expect(await claimed(running, { free: 4, slow: [1, 2, 3] })).toHaveLength(2);
    expect(await claimed(running, { free: 4, freeForSlow: 0, slow: [1, 2, 3] })).toEqual([]);
  });
});

it('a subscriber is delivered to while more others than there are places do not respond', async () => {
  const sockets: Socket[] = [];
  const running = await start({ concurrentSubscriptions: 2, deliveryTimeoutMs: 60_000 });
  for (const name of ['a', 'b', 'c', 'd']) {
    await deliverTo(running, name, (await startActor([(socket) => sockets.push(socket)])).url);
  }
  const prompt = await startActor();
  await deliverTo(running, 'prompt', prompt.url);
  const advanced = running.relay.clock.advance(0);
  await eventually(() => prompt.requests.length === 1);
  const found = await deliveriesOf(running);
  expect(['a', 'b', 'c', 'd'].map((name) => found.get(name)?.attempts)).toEqual([[], [], [], []]);
  await eventually(() => sockets.length === 4);
  for (const socket of sockets) socket.write(accepted);
  await advanced;
});
