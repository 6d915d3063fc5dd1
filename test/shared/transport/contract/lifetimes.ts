import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../../support/eventually.ts';
import { freePort } from '../../../support/free-port.ts';
import { rejection } from '../../support/bench.ts';
import type { ContractBench } from './contract-bench.ts';

/** Why a caller aborts. */
const reason = new Error('The caller has left.');

export function describeConnections(bench: ContractBench): void {
  describe('connections', () => {
    it('are at most a hundred, and who leaves while waiting for one sends nothing', async () => {
      const held: ServerResponse[] = [];
      let most = 0;
      const { port } = await bench.serve((_request, response) => {
        held.push(response);
        most = Math.max(most, held.length);
      });
      const work = Array.from({ length: 150 }, () => bench.send(port));
      await eventually(() => held.length >= 100, '100 requests arrived');
      const caller = new AbortController();
      const { signal } = caller;
      const left = Array.from({ length: 100 }, () => rejection(bench.send(port, { signal })));
      // Gives one more request time to arrive.
      for (let turn = 0; turn < 200; turn += 1) await nextTurn();
      caller.abort(reason);
      expect(new Set(await Promise.all(left))).toEqual(new Set([reason]));
      const serve = async (count: number) => {
        for (let served = 0; served < count; served += 1) {
          await eventually(() => held.length > 0, 'a request arrived');
          held.pop()?.end('{}');
        }
      };
      await Promise.all([...work, serve(150)]);
      await Promise.all([bench.send(port), serve(1)]);
      expect(held).toEqual([]);
      expect(most).toBe(100);
    });

    it('to a host that hangs hold up no other host', async () => {
      const { port: hanging } = await bench.serve(() => undefined);
      const { port } = await bench.serve((_request, response) => response.end('{}'));
      const caller = new AbortController();
      const { signal } = caller;
      const stuck = Array.from({ length: 120 }, () => rejection(bench.send(hanging, { signal })));
      expect((await bench.send(port)).status).toBe(200);
      caller.abort(reason);
      await Promise.all(stuck);
    });

    it('report when a request has its turn, not when it begins to wait', async () => {
      const held: ServerResponse[] = [];
      const { port } = await bench.serve((_request, response) => void held.push(response));
      let sent = 0;
      const onSend = () => {
        sent += 1;
      };
      const work = Array.from({ length: 101 }, () => bench.send(port, { onSend }));
      await eventually(() => held.length >= 100, 'a hundred requests arrived');
      expect(sent).toBe(100);
      held.pop()?.end('{}');
      await eventually(() => sent === 101, 'the last request had its turn');
      await eventually(() => held.length === 100, 'it arrived');
      for (const response of held) response.end('{}');
      await Promise.all(work);
    });

    it('that switch to another protocol leave their places', async () => {
      const { port } = await bench.serveRaw((socket) => {
        socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n');
      });
      await Promise.all(Array.from({ length: 120 }, () => bench.failure(bench.send(port))));
    });
  });
}

export function describeAbort(bench: ContractBench): void {
  describe('stops for the signal of the caller', () => {
    it('before anything is sent', async () => {
      const server = await bench.serve((_request, response) => response.end('{}'));
      const signal = AbortSignal.abort(reason);
      expect(await rejection(bench.send(server.port, { signal }))).toBe(reason);
      expect(server.connections()).toBe(0);
    });

    // The reason of the third looks like a broken connection.
    const lookalike = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    it.each<[string, string, Error]>([
      ['while it waits for a response', '', reason],
      ['while the body arrives', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{', reason],
      ['whatever its reason is', '', lookalike],
    ])('%s, rejects with its reason and closes the connection', async (_what, start, why) => {
      const caller = new AbortController();
      const closed = Promise.withResolvers<void>();
      const { port } = await bench.serveRaw((socket) => {
        socket.on('close', () => closed.resolve());
        socket.write(start, () => caller.abort(why));
      });
      const outcome = rejection(bench.send(port, { signal: caller.signal }));
      await closed.promise;
      expect(await outcome).toBe(why);
    });

    it('with one listener for all requests', async () => {
      const caller = new AbortController();
      const { signal } = caller;
      const { port } = await bench.serve(() => undefined);
      const work = Array.from({ length: 30 }, () => rejection(bench.send(port, { signal })));
      expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
      caller.abort(reason);
      expect(new Set(await Promise.all(work))).toEqual(new Set([reason]));
    });

    it('and leaves no listener on it', async () => {
      const { signal } = new AbortController();
      const { port } = await bench.serve((_request, response) => response.end('{}'));
      await bench.send(port, { signal });
      await bench.failure(bench.send(await freePort(), { signal }));
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });
  });
}

export function describeClock(bench: ContractBench): void {
  describe('provides a clock', () => {
    it('that knows the time of day, and keeps measuring when it is set', () => {
      const { clock } = bench.transport;
      const real = Date.now;
      const before = clock.now();
      for (const byMs of [0, -3_600_000, 3_600_000]) {
        const set = jest.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
        const [date, passedMs] = [Number(clock.date?.()), clock.now() - before];
        set.mockRestore();
        expect(passedMs).toBeGreaterThanOrEqual(0);
        expect(passedMs).toBeLessThan(3_600_000);
        expect(Math.abs(date - real())).toBeLessThan(Math.abs(byMs) + 60_000);
      }
    });

    it('that sleeps as long as requested', async () => {
      const { clock } = bench.transport;
      const woken: string[] = [];
      const naps = [100, 30].map((ms) => clock.sleep(ms).then(() => woken.push(`${ms} ms`)));
      // A shorter timer of this test, set after them, fires first.
      await new Promise((resolve) => setTimeout(resolve, 1)).then(() => woken.push('1 ms'));
      await Promise.all(naps);
      expect(woken).toEqual(['1 ms', '30 ms', '100 ms']);
    });

    it('whose sleep ends with the reason of the signal, and leaves no listener on it', async () => {
      const { clock } = bench.transport;
      const caller = new AbortController();
      const outcome = rejection(clock.sleep(60_000, caller.signal));
      caller.abort(reason);
      expect(await outcome).toBe(reason);
      expect(await rejection(clock.sleep(60_000, AbortSignal.abort(reason)))).toBe(reason);
      const { signal } = new AbortController();
      await clock.sleep(1, signal);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });
  });
}
