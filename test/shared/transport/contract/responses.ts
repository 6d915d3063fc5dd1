import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ContractBench } from './contract-bench.ts';

export function describeResponses(bench: ContractBench): void {
  describe('returns', () => {
    it.each([200, 201, 202, 204, 400, 401, 403, 404, 408, 409, 418, 422, 429, 500, 502, 503, 504])(
      'status %i as a response',
      async (status) => {
        const { port } = await bench.serve((_request, response) =>
          response.writeHead(status).end(),
        );
        expect((await bench.send(port)).status).toBe(status);
      },
    );

    it('headers by their lower-case names, duplicate ones joined', async () => {
      const { port } = await bench.serve((_request, response) => {
        response.setHeader('Retry-After', '60');
        response.setHeader('X-Several', ['a', 'b']);
        response.writeHead(429).end();
      });
      expect((await bench.send(port)).headers).toMatchObject({
        'retry-after': '60',
        'x-several': 'a, b',
      });
    });

    it.each([
      ['JSON that a parser would change', '{ "id": 12345678901234567890, "a": 1.0 }\n'],
      ['a text', 'plain'],
      ['nothing', ''],
      ['a page', '<html>\r\n</html>'],
    ])('the raw body: %s', async (_what, body) => {
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      expect((await bench.send(port)).body).toBe(body);
    });

    it('the raw body of an error', async () => {
      const body = '{"type":"about:blank","trace":12345678901234567890}';
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(409, { 'content-type': 'application/problem+json' }).end(body);
      });
      expect(await bench.send(port, { method: 'POST', body: '{}' })).toMatchObject({
        status: 409,
        body,
      });
    });

    it('whole characters that arrive in pieces', async () => {
      const bytes = Buffer.from('{"city":"Bad Säckingen 😀"}');
      const { port } = await bench.serve((_request, response) => {
        let at = 0;
        const next = (): void => {
          if (at === bytes.length) response.end();
          else response.write(bytes.subarray(at, ++at), next);
        };
        next();
      });
      expect((await bench.send(port)).body).toBe(bytes.toString());
    });

    it('a large body', async () => {
      const body = JSON.stringify('ä'.repeat(500_000));
      const { port } = await bench.serve((_request, response) => response.end(body));
      expect((await bench.send(port)).body).toBe(body);
    });

    it('the text of a body that was compressed without being asked', async () => {
      const body = '{"id":"scr_1"}';
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
      });
      expect((await bench.send(port)).body).toBe(body);
    });

    const created = 'HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}';
    const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    const interim: [string, readonly string[]][] = [
      ['102 Processing', [`HTTP/1.1 102 Processing\r\n\r\n${created}`]],
      ['103 Early Hints', [hint, created]],
    ];
    if (!bench.traits.refusesContinue) {
      interim.push(
        ['100 Continue', [goOn + created]],
        ['100 Continue apart', [goOn, created]],
        ['100 Continue cut within its status', ['HTTP/1.1 1', `00 Continue\r\n\r\n${created}`]],
        [
          '100 Continue cut within its headers',
          ['HTTP/1.1 100 Continue\r\na: b\r', `\n\r\n${created}`],
        ],
        ['several of all kinds', [goOn + hint + goOn, hint + goOn + created]],
      );
    }
    it.each(interim)('the final response after an interim one: %s', async (_what, pieces) => {
      const { port } = await bench.serveRaw(async (socket) => {
        socket.setNoDelay(true);
        for (const piece of pieces) {
          await new Promise((resolve) => socket.write(piece, resolve));
          // Makes the pieces arrive one by one.
          await nextTurn();
        }
      });
      expect(await bench.send(port, { method: 'POST', body: '{}' })).toMatchObject({
        status: 201,
        body: '{}',
      });
    });

    it('a body that looks like an interim response', async () => {
      const body = [goOn, goOn, created];
      const { port } = await bench.serveRaw(async (socket) => {
        const length = body.join('').length;
        socket.setNoDelay(true);
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`);
        for (const piece of body) {
          await nextTurn();
          await new Promise((resolve) => socket.write(piece, resolve));
        }
      });
      expect((await bench.send(port)).body).toBe(body.join(''));
    });

    it.each([301, 302, 303, 307, 308])(
      'a redirect with status %i, and does not follow it',
      async (status) => {
        const elsewhere = await bench.serve((_request, response) => response.end('{}'));
        const { port } = await bench.serve((_request, response) => {
          response.writeHead(status, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
        });
        expect((await bench.send(port)).status).toBe(status);
        expect((await bench.send(port, { method: 'POST', body: '{}' })).status).toBe(status);
        expect(elsewhere.connections()).toBe(0);
      },
    );
  });
}
