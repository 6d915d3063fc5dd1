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
        message: `127.0.0.1:${port} sent more than ${maxResponseBytes} bytes, more than any response of the service. Check the base URL.`,
      });
    });

    it.each([200, 409])('that is small only when compressed, with status %i', async (status) => {
      const { port } = await bench.serve((_request, response) => {
        response.writeHead(status, { 'content-encoding': 'gzip' });
        response.end(gzipSync('x'.repeat(maxResponseBytes + 1)));
      });
      expect((await bench.failure(bench.send(port))).message).toContain(
        `more than ${maxResponseBytes} bytes`,
      );
    });

    it('and stops reading: the body never ends', async () => {
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
        sent: 'maybe',
        isRetryable: false,
      });
      await closed.promise;
    });

    it('and returns one that just fits', async () => {
      const { port } = await bench.serve((_request, response) =>
        response.end('x'.repeat(maxResponseBytes)),
      );
      expect((await bench.send(port)).body).toHaveLength(maxResponseBytes);
    });
  });
}
