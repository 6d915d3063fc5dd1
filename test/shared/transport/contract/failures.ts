import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
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
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const nine = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n';

const lost: readonly [string, Answer][] = [
  ['the connection is reset', (socket) => socket.resetAndDestroy()],
  ['the connection is closed', (socket) => socket.end()],
  ['something other than HTTP arrives', (socket) => socket.end('What do you want?\r\n\r\n')],
  ['the headers are cut off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
  ['a body in chunks is cut off', (socket) => socket.end(`${chunked}6\r\n{"id":\r\n`)],
  ['a body in chunks is invalid', (socket) => socket.end(`${chunked}xyz\r\n`)],
  [
    'the connection is reset within the body',
    (socket) => socket.write(`${nine}{"id":`, () => socket.resetAndDestroy()),
  ],
  [
    'a compressed body is invalid',
    (socket) =>
      socket.end(`${nine.replace('OK\r\n', 'OK\r\ncontent-encoding: gzip\r\n')}{"id":"1"`),
  ],
];

const late: readonly [string, Answer][] = [
  ['no response arrives', () => undefined],
  ['no body arrives', (socket) => socket.write(nine)],
  [
    'the body drips',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    },
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

    it('when the body is cut off', async () => {
      const { port } = await bench.serveRaw((socket) => socket.end(`${nine}{"id":`));
      // Only a transport that waits for a missing body needs a short limit.
      const timeLimit = bench.traits.missesShortBodies ? { timeoutMs: 500 } : {};
      expect(await bench.failure(bench.send(port, timeLimit))).toMatchObject(
        bench.traits.missesShortBodies
          ? { code: 'timeout', sent: 'maybe' }
          : { code: 'network_error', sent: 'maybe', message: bench.broke(port) },
      );
    });

    it.each([
      ['upgrade: websocket', bench.traits.isUpgradeStatus],
      ['upgrade: websocket\r\nconnection: upgrade', false],
    ])('when the service switches to another protocol: %s', async (headers, isStatus) => {
      const { port } = await bench.serveRaw((socket) =>
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n\r\n`),
      );
      const { missesUpgrades } = bench.traits;
      const sent = bench.send(port, missesUpgrades ? { timeoutMs: 500 } : {});
      if (isStatus) expect((await sent).status).toBe(101);
      else {
        const code = missesUpgrades ? 'timeout' : 'network_error';
        expect(await bench.failure(sent)).toMatchObject({ code, sent: 'maybe' });
      }
    });

    it.each(late)('when the time is up and %s', async (_what, answer) => {
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

const unreadable: readonly [string, (head: string) => string | Buffer][] = [
  ['gzip and is not', (head) => `${head}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`],
  [
    'gzip and stops half way',
    (head) =>
      Buffer.concat([
        Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: 12\r\n\r\n`),
        gzipSync('{"detail":"Slow down."}').subarray(0, 12),
      ]),
  ],
  ['br and is not', (head) => `${head}content-encoding: br\r\ncontent-length: 2\r\n\r\n{}`],
  ['chunked and is not', (head) => `${head}transfer-encoding: chunked\r\n\r\nxyz\r\n`],
];

export function describeKnownStatus(bench: ContractBench): void {
  describe('keeps a status from 300 on, whatever the body', () => {
    const statuses = ['307 Temporary Redirect', '404 Not Found', '429 Too Many Requests'];
    const heads = statuses.map((status) => [
      Number.parseInt(status, 10),
      `HTTP/1.1 ${status}\r\nretry-after: 7\r\n`,
    ]) as [number, string][];
    const expectStatus = async (status: number, answer: Answer, timeoutMs = 10_000) => {
      const { port } = await bench.serveRaw(answer);
      expect(await bench.send(port, { timeoutMs })).toMatchObject({
        status,
        headers: { 'retry-after': '7' },
      });
    };

    it.each(unreadable)('that claims to be %s', async (_what, answer) => {
      for (const [status, head] of heads) {
        await expectStatus(status, (socket) => socket.end(answer(head)));
      }
    });

    it('that the connection breaks off', async () => {
      for (const [status, head] of heads) {
        await expectStatus(status, (socket) =>
          socket.write(`${head}content-length: 9\r\n\r\n{`, () => socket.resetAndDestroy()),
        );
      }
    });

    it('that is too large', async () => {
      for (const [status, head] of heads) {
        await expectStatus(status, (socket) => {
          socket.write(`${head}content-length: 9000000\r\n\r\n`);
          socket.end('x'.repeat(9_000_000));
        });
      }
    });

    it('that never ends, once the time is up', async () => {
      for (const [status, head] of heads) {
        await expectStatus(
          status,
          (socket) => socket.write(`${head}content-length: 9\r\n\r\n{`),
          300,
        );
      }
    });

    it.each(['gzip', 'br', 'deflate', 'gzip, gzip', 'unknown'])(
      'and an empty body stays empty, also as %s',
      async (encoding) => {
        for (const status of [200, 204, 404, 503]) {
          const { port } = await bench.serveRaw((socket) =>
            socket.end(
              `HTTP/1.1 ${status} Status\r\ncontent-encoding: ${encoding}\r\n${status === 204 ? '' : 'content-length: 0\r\n'}\r\n`,
            ),
          );
          expect(await bench.send(port)).toMatchObject({ status, body: '' });
        }
      },
    );
  });
}
