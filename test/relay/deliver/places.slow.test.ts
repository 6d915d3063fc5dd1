import type { Socket } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { accepted, startActor } from '../support/actor.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';
const other = 'user.registered';

const subscribe = ({ call }: Running, target_url: string, event = type) =>
  call('PUT', '/subscriptions', { target_url, events: [event] });

describe('a subscriber', () => {
  it('gets its event while 300 others do not respond', async () => {
    const sockets: Socket[] = [];
    const silent = await startActor(Array(300).fill((socket: Socket) => sockets.push(socket)));
    const prompt = await startActor();
    const running = await start({ deliveryTimeoutMs: 60_000 });
    for (let nth = 0; nth < 300; nth += 1) await subscribe(running, `${silent.url}/${nth}`);
    await subscribe(running, prompt.url);
    await running.deliver({ id: '1', type });
    const advanced = running.relay.clock.advance(0);
    await eventually(() => sockets.length === 300, 'all have a request');
    await running.deliver({ id: '2', type });
    running.relay.clock.advance(0);
    await eventually(() => prompt.requests.length === 2, 'the prompt one got both events');
    for (const socket of sockets) socket.write(accepted);
    await advanced;
  });

  it('gets its turn after a second of another one if there is one place', async () => {
    const { now } = performance;
    let aheadMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + aheadMs);
    const running = await start({ places: 1 });
    let before = 0;
    const waiting = await startActor([
      (socket) => {
        before = busy.requests.length;
        socket.write(accepted);
      },
    ]);
    const busy = await startActor([
      async (socket) => {
        await running.deliver({ id: 'other', type: other });
        aheadMs = 1_000;
        socket.write(accepted);
      },
    ]);
    await subscribe(running, busy.url);
    await subscribe(running, waiting.url, other);
    for (let id = 0; id < 20; id += 1) await running.deliver({ id, type });
    await running.relay.clock.advance(0);
    await running.relay.clock.advance(0);
    expect([before, busy.requests.length, waiting.requests.length]).toEqual([1, 20, 1]);
  });
});
