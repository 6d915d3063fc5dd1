import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { ContractBench } from './contract-bench.ts';

export function describeLostAnswers(bench: ContractBench): void {
  describe('tells that it may have been sent', () => {
    it.each<[string, (socket: Socket) => void]>([
      ['the connection is reset', (socket) => socket.resetAndDestroy()],
      ['the connection is closed', (socket) => socket.end()],
      ['something other than HTTP comes', (socket) => socket.end('What do you want?\r\n\r\n')],
      ['the headers are cut off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
      [
        'a body in chunks is cut off',
        (socket) =>
          socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"id":\r\n'),
      ],
      [
        'a body in chunks is no such thing',
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
        'a compressed body is no such thing',
        (socket) =>
          socket.end(
            'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 6\r\n\r\n{"id":',
          ),
      ],
    ])('when %s', async (what, answer) => {
      if (bench.traits.missesBrokenCompression && what.startsWith('a compressed')) return;
      const { port } = await bench.serveRaw(answer);
      expect(await bench.failure(bench.send(port, { method: 'POST', body: '{}' }))).toMatchObject({
        code: 'network_error',
        sent: 'maybe',
        message: bench.broke(port),
      });
    });

    it('when the body is cut off', async () => {
      const { port } = await bench.serveRaw((socket) =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'),
      );
      expect(await bench.failure(bench.send(port, { timeoutMs: 500 }))).toMatchObject(
        bench.traits.missesShortBodies
          ? { code: 'timeout', sent: 'maybe' }
          : { code: 'network_error', sent: 'maybe', message: bench.broke(port) },
      );
    });

    it.each<[string, (socket: Socket) => void]>([
      ['no answer comes', () => undefined],
      ['no body comes', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n')],
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
      const startedAt = performance.now();
      expect(await bench.failure(bench.send(port, { timeoutMs: 200 }))).toMatchObject({
        code: 'timeout',
        sent: 'maybe',
        isRetryable: true,
        message: `127.0.0.1:${port} did not answer completely in time. Try again later, or allow more time.`,
      });
      const tookMs = performance.now() - startedAt;
      expect(tookMs).toBeGreaterThan(190);
      expect(tookMs).toBeLessThan(5000);
    });
  });
}
