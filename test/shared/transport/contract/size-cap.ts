import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ContractBench } from './contract-bench.ts';

export function describeSizeCap(bench: ContractBench, maxResponseBytes: number): void {
  describe('gives up on a body that is too large', () => {
    it.each([
      ['announced', true],
      ['not announced', false],
    ])('whose length is %s', async (_what, isAnnounced) => {
      const body = 'x'.repeat(maxResponseBytes + 1);
      const { port } = await bench.serve((_request, response) => {
        if (isAnnounced) response.setHeader('content-length', body.length);
        response.write(body);
        response.end();
      });
      expect(await bench.failure(bench.send(port))).toMatchObject({
        code: 'network_error',
        sent: 'maybe',
        message: `127.0.0.1:${port} sent more than ${maxResponseBytes} bytes, which no answer of the service needs. Check the base URL.`,
      });
    });

    it('that was small while it was compressed', async () => {
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync('x'.repeat(maxResponseBytes + 1)));
      });
      expect((await bench.failure(bench.send(port))).message).toContain(
        `more than ${maxResponseBytes} bytes`,
      );
    });
  });
}
