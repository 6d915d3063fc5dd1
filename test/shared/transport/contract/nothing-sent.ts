import { createServer as createTlsServer } from 'node:https';
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
      expect(
        await bench.failure(bench.send(0, { url: 'http://service.invalid/api/v1/screens' })),
      ).toMatchObject({
        code: 'network_error',
        sent: 'no',
        message: expect.stringMatching(
          /^service\.invalid could not be found \((ENOTFOUND|EAI_AGAIN)\)\. Check the host name in the base URL\.$/,
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
      expect(
        await bench.failure(bench.send(port, { url: `https://127.0.0.1:${port}/` })),
      ).toMatchObject({
        code: 'network_error',
        sent: 'no',
        isRetryable: false,
        message: `127.0.0.1:${port} has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Check the base URL. If you run the service yourself, give it a certificate that this machine trusts.`,
      });
      expect(requests).toBe(0);
    });

    it('when the service does not speak https', async () => {
      const { port } = await bench.serve((_request, response) => response.end('{}'));
      expect(
        await bench.failure(bench.send(port, { url: `https://127.0.0.1:${port}/` })),
      ).toMatchObject({
        code: 'network_error',
        sent: 'no',
        isRetryable: false,
        message: expect.stringMatching(
          `^127\\.0\\.0\\.1:${port} does not speak HTTPS \\(\\w+\\)\\. Check the protocol, host, and port in the base URL\\.$`,
        ),
      });
    });
  });
}
