import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { TransportError } from '@screen-advertising/core';
import type { ContractBench } from './contract-bench.ts';

export function describeLostResponses(bench: ContractBench): void {
  describe('reports that the request may have been sent', () => {
    it.each<[string, (socket: Socket) => void]>([
      ['the connection is reset', (socket) => socket.resetAndDestroy()],
      ['the connection is closed', (socket) => socket.end()],
      ['something other than HTTP arrives', (socket) => socket.end('What do you want?\r\n\r\n')],
      ['the headers are cut off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
      [
        'a body in chunks is cut off',
        (socket) =>
          socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"id":\r\n'),
      ],
      [
        'a body in chunks is invalid',
        (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'),
      ],
      [
        'the connection is reset within the body',
        (socket) =>
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":', () =>
            socket.resetAndDestroy(),
          ),
      ],
      [
        'a compressed body is invalid',
        (socket) =>
          socket.end(
            'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 6\r\n\r\n{"id":',
          ),
      ],
    ])('when %s', async (_what, answer) => {
      const { port } = await bench.serveRaw(answer);
      expect(await bench.failure(bench.send(port, { method: 'POST', body: '{}' }))).toMatchObject({
        code: 'network_error',
        sent: 'maybe',
        message: bench.broke(port),
      });
    });

    const odd = bench.traits.misreadsStatusZero ? ['001', '099'] : ['000', '001', '099'];
    it.each(odd)('or returns the status, when it is %s', async (status) => {
      const { port } = await bench.serveRaw((socket) =>
        socket.write(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\n{}`),
      );
      const ending = bench.send(port, { method: 'POST', body: '{}' }).catch((error) => error);
      expect(await ending).toMatchObject(
        (await ending) instanceof TransportError
          ? { code: 'network_error', sent: 'maybe', message: bench.broke(port) }
          : { status: Number(status), body: '{}' },
      );
    });

    it('when the body is cut off', async () => {
      const { port } = await bench.serveRaw((socket) =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'),
      );
      // Only a transport that waits for a missing body needs a short limit.
      const timeLimit = bench.traits.missesShortBodies ? { timeoutMs: 500 } : {};
      expect(await bench.failure(bench.send(port, timeLimit))).toMatchObject(
        bench.traits.missesShortBodies
          ? { code: 'timeout', sent: 'maybe' }
          : { code: 'network_error', sent: 'maybe', message: bench.broke(port) },
      );
    });

    it.each<[string, (socket: Socket) => void]>([
      ['no response arrives', () => undefined],
      ['no body arrives', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n')],
      [
        'the body drips',
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
          const drip = setInterval(() => socket.write('x'), 20);
          socket.on('close', () => clearInterval(drip));
        },
      ],
    ])('when the time is up and %s', async (_what, answer) => {
      const { port } = await bench.serveRaw(answer);
      expect(await bench.failure(bench.send(port, { timeoutMs: 200 }))).toMatchObject({
        code: 'timeout',
        sent: 'maybe',
        isRetryable: true,
        message: `127.0.0.1:${port} did not send a complete response in time. Retry, or allow more time.`,
      });
    });
  });
}
