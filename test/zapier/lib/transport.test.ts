import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAppTester, type ZObject } from 'zapier-platform-core';
import app from 'zapier-screen-advertising';
import { zapierTransport } from '../../../packages/zapier-screen-advertising/src/lib/transport.ts';
import { ScriptedService } from '../../shared/support/scripted-service.ts';

const runInZapier = createAppTester(app);
const [service, elsewhere] = [new ScriptedService(), new ScriptedService()];
beforeAll(() => Promise.all([service.start(), elsewhere.start()]));
beforeEach(() => {
  service.reset();
  elsewhere.reset();
});
afterAll(() => Promise.all([service.stop(), elsewhere.stop()]));

/** Sends as a step of the app does, with an API key, or with a token that Zapier can renew. */
function send(url: string, canRenewToken = false) {
  const request = { method: 'GET', url, headers: {}, timeoutMs: 5000 } as const;
  const authData = { base_url: service.baseUrl, api_key: 'svc_abc' };
  return runInZapier((z: ZObject) => zapierTransport(z, { canRenewToken }).send(request), {
    authData,
  });
}

/** Everything else is in the contract of all transports. */
describe('the transport over z.request', () => {
  it('treats 401 as a response when the credentials are an API key, and lets Zapier renew a refused token', async () => {
    service.on('GET /screens', { status: 401, body: '' });
    const url = `${service.baseUrl}/screens`;
    expect(await send(url)).toMatchObject({ status: 401, body: '' });
    await expect(send(url, true)).rejects.toMatchObject({ name: 'RefreshAuthError' });
  });

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
