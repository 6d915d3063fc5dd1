import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { apiKey, createClient } from '@screen-advertising/core';
import { eventually } from '../../../support/eventually.ts';
import type { ContractBench } from './contract-bench.ts';

export function describeConnections(bench: ContractBench): void {
  describe('connections', () => {
    it.each([true, false])(
      'are at most a hundred, when isRepeatable is %s',
      async (isRepeatable) => {
        const held: ServerResponse[] = [];
        let most = 0;
        const { port } = await bench.serve((_request, response) => {
          held.push(response);
          most = Math.max(most, held.length);
        });
        const work = Array.from({ length: 150 }, () => bench.send(port, { isRepeatable }));
        await eventually(() => held.length >= 100);
        // Gives one more request time to arrive.
        for (let turn = 0; turn < 200; turn += 1) await nextTurn();
        for (let left = 150; left > 0; left -= 1) {
          await eventually(() => held.length > 0);
          held.pop()?.end('{}');
        }
        await Promise.all(work);
        expect(most).toBe(100);
      },
    );

    it('that break within a body do not count as closed before', async () => {
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"id":', () => response.destroy());
      });
      expect(await bench.failure(bench.send(port))).toMatchObject({
        sent: 'maybe',
        isStaleSocket: false,
      });
    });

    it('that the service has already closed cost a GET nothing: it is sent again', async () => {
      let requests = 0;
      const { port } = await bench.serve((request, response) => {
        requests += 1;
        // The second request meets the end of the connection in place of a response.
        if (requests === 2) request.socket.end();
        else response.end('{"id":"scr_1"}');
      });
      const client = createClient({
        baseUrl: `http://127.0.0.1:${port}/api/v1`,
        auth: apiKey('svc_key'),
        transport: bench.transport,
        clock: { now: () => 0, sleep: () => Promise.reject(new Error('It was waited.')) },
      });
      await client.screens.get({ screenId: 'scr_1' });
      // Waits until the connection is free again: otherwise the next request would open another
      // one.
      await nextTurn();
      expect(await client.screens.get({ screenId: 'scr_1' })).toEqual({ id: 'scr_1' });
      expect(requests).toBe(3);
    });
  });
}
