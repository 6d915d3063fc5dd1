import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { TransportRequest } from '@screen-advertising/core';
import { freePort } from '../../../support/free-port.ts';
import type { ContractBench } from './contract-bench.ts';

export function describeSending(bench: ContractBench): void {
  describe('sends', () => {
    const json = { accept: 'application/json', 'content-type': 'application/json' };
    it.each<[string, Partial<TransportRequest>]>([
      ['a GET with its headers', { headers: { accept: 'application/json' } }],
      [
        'a body byte by byte',
        { method: 'POST', body: '{ "code" : "Ä-😀", "n": 1.0 }', headers: json },
      ],
      ['a PUT with a body, as to the relay', { method: 'PUT', body: '{"a":1}', headers: json }],
      ['a DELETE without a body', { method: 'DELETE', headers: {} }],
      ['a POST without a body', { method: 'POST', headers: {} }],
    ])('%s, to the path and query that it is given', async (_what, request) => {
      const seen: unknown[] = [];
      const { port } = await bench.serve((received, response) => {
        const chunks: Buffer[] = [];
        received.on('data', (chunk: Buffer) => chunks.push(chunk));
        received.on('end', () => {
          const { method, url, headers } = received;
          seen.push([method, url, headers['content-type'], Buffer.concat(chunks).toString()]);
          response.writeHead(204).end();
        });
      });
      const path = '/api/v1/coupons/a%2Fb%20c?city=Bad%20S%C3%A4ckingen&x=%2B';
      const url = `http://127.0.0.1:${port}${path}`;
      expect(await bench.send(port, { ...request, url })).toMatchObject({ status: 204, body: '' });
      const { method = 'GET', body = '', headers } = request;
      expect(seen).toEqual([[method, path, headers?.['content-type'], body]]);
    });

    it('many requests at once, each with its own response', async () => {
      const { port } = await bench.serve((request, response) => response.end(request.url));
      const urls = Array.from({ length: 30 }, (_, nth) => `http://127.0.0.1:${port}/${nth}`);
      const answers = await Promise.all(urls.map((url) => bench.send(port, { url })));
      expect(answers.map(({ body }) => body)).toEqual(urls.map((_, nth) => `/${nth}`));
    });

    if (bench.traits.renewsConnections) {
      it('a change over a new connection', async () => {
        const server = await bench.serve((_request, response) => response.end('{}'));
        for (let nth = 0; nth < 3; nth += 1) {
          await bench.send(server.port, { method: 'POST' });
          await nextTurn();
        }
        expect(server.connections()).toBe(3);
      });
    }

    if (bench.traits.keepsConnections) {
      it('consecutive requests over existing connections', async () => {
        const server = await bench.serve((_request, response) => response.end('{}'));
        for (let nth = 0; nth < 20; nth += 1) await bench.send(server.port);
        expect(server.connections()).toBeLessThanOrEqual(2);
      });
    }
  });
}

export function describeResponses(bench: ContractBench): void {
  describe('returns', () => {
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
      [200, 'JSON that a parser would change', '{ "id": 12345678901234567890, "a": 1.0 }\n'],
      [409, 'a problem', '{"type":"about:blank","trace":12345678901234567890}'],
      [200, 'a page', '<html>\r\n</html>'],
      [200, 'a large text', JSON.stringify('ä'.repeat(500_000))],
    ])('with status %i the raw body: %s', async (status, _what, body) => {
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
      expect(await bench.send(port)).toMatchObject({ status, body });
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

    it('a redirect of a change, and does not follow it', async () => {
      const elsewhere = await bench.serve((_request, response) => response.end('{}'));
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
      });
      expect((await bench.send(port, { method: 'POST', body: '{}' })).status).toBe(307);
      expect(elsewhere.connections()).toBe(0);
    });
  });
}

/** The law has all of them. These show the words, without the secret of the request. */
export function describeFailures(bench: ContractBench): void {
  describe('reports', () => {
    it('a refused connection: nothing was sent', async () => {
      const port = await freePort();
      expect(await bench.failure(bench.send(port, { method: 'POST', body: '{}' }))).toMatchObject({
        code: 'network_error',
        sent: 'no',
        isRetryable: true,
        message: `127.0.0.1:${port} refused the connection (ECONNREFUSED). Check the base URL and that the service is running.`,
      });
    });

    it('a reset connection: the request may have been sent', async () => {
      const { port } = await bench.serveRaw((socket) => socket.resetAndDestroy());
      expect(await bench.failure(bench.send(port, { method: 'POST', body: '{}' }))).toMatchObject({
        code: 'network_error',
        sent: 'maybe',
        message: expect.stringMatching(
          `^The connection to 127\\.0\\.0\\.1:${port} broke before the response was complete( \\(\\w+\\))?\\. Retry\\.$`,
        ),
      });
    });
  });
}

export function describeSizeCap(bench: ContractBench): void {
  const most = 8 * 1024 * 1024;
  describe('gives up on a body that is too large', () => {
    it('that never ends, and stops reading', async () => {
      const closed = Promise.withResolvers<void>();
      const { port } = await bench.serve((_request, response) => {
        const piece = 'x'.repeat(65_536);
        const pour = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', pour).on('close', () => closed.resolve());
        pour();
      });
      expect(await bench.failure(bench.send(port))).toMatchObject({
        code: 'network_error',
        sent: 'maybe',
        isRetryable: false,
        message: `127.0.0.1:${port} sent more than ${most} bytes, more than any response of the service. Check the base URL.`,
      });
      await closed.promise;
    });

    it('and returns one that just fits', async () => {
      const { port } = await bench.serve((_request, response) => response.end('x'.repeat(most)));
      expect((await bench.send(port)).body).toHaveLength(most);
    });
  });
}
