import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ContractBench } from './contract-bench.ts';

export function describeAnswers(bench: ContractBench): void {
  describe('gives', () => {
    it.each([200, 201, 202, 204, 400, 401, 403, 404, 408, 409, 418, 422, 429, 500, 502, 503, 504])(
      'status %i as an answer',
      async (status) => {
        const { port } = await bench.serve((_request, response) =>
          response.writeHead(status).end(),
        );
        expect((await bench.send(port)).status).toBe(status);
      },
    );

    it('headers by their lower-case names, several of one joined', async () => {
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

    it('characters whole that come in pieces', async () => {
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

    it('the text of a body that was compressed though nobody asked', async () => {
      const body = '{"id":"scr_1"}';
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
      });
      expect((await bench.send(port)).body).toBe(body);
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
