import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../../../support/free-port.ts';
import { rejection } from '../../support/bench.ts';
import { type ContractBench, reason } from './contract-bench.ts';

export function describeAbort(bench: ContractBench): void {
  describe('stops for the signal of the caller', () => {
    it('before anything is sent', async () => {
      const server = await bench.serve((_request, response) => response.end('{}'));
      const signal = AbortSignal.abort(reason);
      expect(await rejection(bench.send(server.port, { signal }))).toBe(reason);
      expect(server.connections()).toBe(0);
    });

    it.each<[string, string]>([
      ['while it waits for a response', ''],
      ['while the body arrives', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'],
    ])('%s, rejects with its reason and closes the connection', async (_what, start) => {
      const caller = new AbortController();
      const closed = Promise.withResolvers<void>();
      const { port } = await bench.serveRaw((socket) => {
        socket.on('close', () => closed.resolve());
        socket.write(start, () => caller.abort(reason));
      });
      const outcome = rejection(bench.send(port, { signal: caller.signal }));
      await closed.promise;
      expect(await outcome).toBe(reason);
    });

    it('and rejects with its reason even when that looks like a broken connection', async () => {
      const caller = new AbortController();
      const lookalike = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      const { port } = await bench.serveRaw(() => caller.abort(lookalike));
      const outcome = rejection(bench.send(port, { signal: caller.signal }));
      expect(await outcome).toBe(lookalike);
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
