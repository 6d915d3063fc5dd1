import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { freePort } from '../../../support/free-port.ts';
import { listen } from '../../support/loopback.ts';
import type { ContractBench } from './contract-bench.ts';

export function describeNothingSent(bench: ContractBench): void {
  describe('reports that nothing was sent', () => {
    it('when the connection is refused', async () => {
      const port = await freePort();
      expect(await bench.failure(bench.send(port, { method: 'POST', body: '{}' }))).toMatchObject({
        code: 'network_error',
        sent: 'no',
        isRetryable: true,
        message: `127.0.0.1:${port} refused the connection (ECONNREFUSED). Check the base URL and that the service is running.`,
      });
    });

    it('when the host is unknown', async () => {
      const work = bench.send(0, { url: 'http://service.invalid/api/v1/screens' });
      expect(await bench.failure(work)).toMatchObject({
        code: 'network_error',
        sent: 'no',
        message: expect.stringMatching(
          /^service\.invalid could not be found \((ENOTFOUND|EAI_AGAIN)\)\./,
        ),
      });
    });

    it('when the certificate is not trusted', async () => {
      const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
      let requests = 0;
      const server = createTlsServer({ key, cert }, (_request, response) => {
        requests += 1;
        response.end('{}');
      });
      const { port } = await bench.open(listen(server));
      const work = bench.send(port, { url: `https://127.0.0.1:${port}/` });
      expect(await bench.failure(work)).toMatchObject({
        code: 'network_error',
        sent: 'no',
        isRetryable: false,
        message: expect.stringMatching(/ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. /),
      });
      expect(requests).toBe(0);
    });

    it('when the service does not speak https', async () => {
      const { port } = await bench.serve((_request, response) => response.end('{}'));
      const work = bench.send(port, { url: `https://127.0.0.1:${port}/` });
      expect(await bench.failure(work)).toMatchObject({
        code: 'network_error',
        sent: 'no',
        isRetryable: false,
        message: expect.stringMatching(/ does not speak HTTPS \(\w+\)\. /),
      });
    });
  });
}

type Answer = (socket: Socket) => void;
const nine = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n';

const lost: readonly [string, Answer][] = [
  ['the connection is reset', (socket) => socket.resetAndDestroy()],
  ['something other than HTTP arrives', (socket) => socket.end('What do you want?\r\n\r\n')],
  [
    'a compressed body is invalid',
    (socket) =>
      socket.end(`${nine.replace('OK\r\n', 'OK\r\ncontent-encoding: gzip\r\n')}{"id":"1"`),
  ],
];

export function describeLostResponses(bench: ContractBench): void {
  describe('reports that the request may have been sent', () => {
    it.each(lost)('when %s', async (_what, answer) => {
      const { port } = await bench.serveRaw(answer);
      expect(await bench.failure(bench.send(port, { method: 'POST', body: '{}' }))).toMatchObject({
        code: 'network_error',
        sent: 'maybe',
        message: bench.broke(port),
      });
    });

    it('when the time is up', async () => {
      const { port } = await bench.serveRaw(() => undefined);
      expect(await bench.failure(bench.send(port, { timeoutMs: 200 }))).toMatchObject({
        code: 'timeout',
        sent: 'maybe',
        isRetryable: true,
        message: `127.0.0.1:${port} did not send a complete response in time. Retry, or allow more time.`,
      });
    });
  });
}
