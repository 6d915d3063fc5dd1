import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ContractBench } from './contract-bench.ts';

export function describeSending(bench: ContractBench): void {
  describe('sends', () => {
    it('method, path, query and headers unchanged', async () => {
      const seen: unknown[] = [];
      const { port } = await bench.serve((request, response) => {
        seen.push([request.method, request.url, request.headers.accept, request.headers['x-a']]);
        response.end('{}');
      });
      const url = `http://127.0.0.1:${port}/api/v1/coupons/a%2Fb%20c?city=Bad%20S%C3%A4ckingen&x=%2B`;
      await bench.send(port, { url, headers: { accept: 'application/json', 'x-a': 'b' } });
      expect(seen).toEqual([
        [
          'GET',
          '/api/v1/coupons/a%2Fb%20c?city=Bad%20S%C3%A4ckingen&x=%2B',
          'application/json',
          'b',
        ],
      ]);
    });

    it('a body byte by byte, with its type', async () => {
      const seen: unknown[] = [];
      const { port } = await bench.serve((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          seen.push([
            request.method,
            request.headers['content-type'],
            Buffer.concat(chunks).toString(),
          ]);
          response.writeHead(201).end('{}');
        });
      });
      const body = '{ "code" : "Ä-😀", "n": 12345678901234567890 }';
      const headers = { 'content-type': 'application/json' };
      expect(await bench.send(port, { method: 'POST', body, headers })).toMatchObject({
        status: 201,
      });
      expect(seen).toEqual([['POST', 'application/json', body]]);
    });

    it('requests to the relay: a PUT with a body, and a DELETE without one', async () => {
      const seen: unknown[] = [];
      const { port } = await bench.serve((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          seen.push([request.method, Buffer.concat(chunks).toString()]);
          response.writeHead(request.method === 'PUT' ? 200 : 204).end();
        });
      });
      const headers = { 'content-type': 'application/json' };
      const put = await bench.send(port, { method: 'PUT', body: '{"a":1}', headers });
      const deleted = await bench.send(port, { method: 'DELETE' });
      expect([put.status, deleted.status, deleted.body]).toEqual([200, 204, '']);
      expect(seen).toEqual([
        ['PUT', '{"a":1}'],
        ['DELETE', ''],
      ]);
    });

    it('a POST without a body', async () => {
      const seen: unknown[] = [];
      const { port } = await bench.serve((request, response) => {
        request.on('data', (chunk) => seen.push(chunk));
        request.on('end', () => response.end('{}'));
      });
      expect(await bench.send(port, { method: 'POST' })).toMatchObject({ status: 200 });
      expect(seen).toEqual([]);
    });

    it('many requests at once, each with its own response', async () => {
      const { port } = await bench.serve((request, response) => response.end(request.url));
      const urls = Array.from({ length: 30 }, (_, nth) => `http://127.0.0.1:${port}/${nth}`);
      const answers = await Promise.all(urls.map((url) => bench.send(port, { url })));
      expect(answers.map(({ body }) => body)).toEqual(urls.map((_, nth) => `/${nth}`));
    });

    if (!bench.traits.reusesBusyConnections) {
      it('a request that must not be sent twice over a new connection', async () => {
        const server = await bench.serve((_request, response) => response.end('{}'));
        for (let nth = 0; nth < 3; nth += 1) {
          await bench.send(server.port, { method: 'POST', isRepeatable: false });
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
