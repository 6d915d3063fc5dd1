import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createAppTester, type ZObject } from 'zapier-platform-core';
import app from 'zapier-screen-advertising';
import {
  type TransportOptions,
  zapierTransport,
} from '../../../packages/zapier-screen-advertising/src/lib/transport.ts';
import { useScripted } from '../../shared/support/scripted-service.ts';

const runInZapier = createAppTester(app);
const [service, elsewhere] = [useScripted(), useScripted()];

/** Sends as a step of the app does, with an API key, or with a token that Zapier can renew. */
function send(url: string, options: TransportOptions = {}) {
  const request = { method: 'GET', url, headers: {}, timeoutMs: 5000 } as const;
  const authData = { base_url: service.baseUrl, api_key: 'svc_abc' };
  return runInZapier((z: ZObject) => zapierTransport(z, options).send(request), {
    authData,
  });
}

/** Everything else is in the contract of all transports. */
describe('the transport over z.request', () => {
  it('returns a 401 with what the service says, unless another token may help', async () => {
    const body = '{"detail":"The access is suspended until 1 April."}';
    service.on('GET /screens', { status: 401, body, headers: { 'x-request-id': 'req-7' } });
    const url = `${service.baseUrl}/screens`;
    const headers = expect.objectContaining({ 'x-request-id': 'req-7' });
    expect(await send(url)).toEqual({ status: 401, headers, body });
    await expect(send(url, { renewsOn: [401] })).rejects.toMatchObject({
      name: 'RefreshAuthError',
    });
  });

  const words = '{"detail":"The access is suspended until 1 April."}';

  it.each([
    ['in plain text', {}, words, words],
    ['packed', { 'content-encoding': 'gzip' }, gzipSync(words), words],
    ['packed otherwise than asked', { 'content-encoding': 'br' }, words, ''],
    ['broken off', { 'content-length': '99' }, words, ''],
    ['too long for words', {}, 'x'.repeat(200_000), ''],
  ])(
    'hears what a 401 says when its responses hold secrets: %s',
    async (_how, more, sent, body) => {
      service.on('GET /screens', (response) => {
        response.writeHead(401, more).write(sent);
        if ('content-length' in more) setImmediate(() => response.destroy());
        else response.end();
      });
      const url = `${service.baseUrl}/screens`;
      expect(await send(url, { isSecret: true })).toMatchObject({ status: 401, body });
    },
  );

  it('sends the bearer token only to addresses below the base URL', async () => {
    for (const url of [
      `${service.baseUrl}/screens`,
      `${elsewhere.baseUrl}/screens`,
      `${service.origin}/api/v10/screens`,
    ]) {
      await send(url);
    }
    const sent = [...service.received, ...elsewhere.received];
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer svc_abc',
      undefined,
      undefined,
    ]);
  });
});
