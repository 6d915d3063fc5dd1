import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Transport, TransportRequest } from '@screen-advertising/core';
import { createAppTester, type ZObject } from 'zapier-platform-core';
import app from 'zapier-screen-advertising';
import { zapierTransport } from '../../../packages/zapier-screen-advertising/src/lib/transport.ts';

type Answer = Awaited<ReturnType<Transport['send']>>;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
}

const runInZapier = createAppTester(app);

/** Sends as a step of the app does, with an API key, or with a token that Zapier can renew. */
function send(
  baseUrl: string,
  request: Partial<TransportRequest> = {},
  { canRenewToken = false } = {},
): Promise<Answer> {
  const whole = { method: 'GET', url: `${baseUrl}/screens`, headers: {}, timeoutMs: 5000 } as const;
  const authData = { base_url: baseUrl, api_key: 'svc_abc' };
  return runInZapier(
    (z: ZObject) => zapierTransport(z, { canRenewToken }).send({ ...whole, ...request }),
    { authData },
  );
}

async function failure(answer: Promise<Answer>): Promise<unknown> {
  return answer.then(
    () => 'answered',
    (error: unknown) => error,
  );
}

/** Everything else is in the contract of all transports. */
describe('the transport over z.request', () => {
  it('treats 401 as a response when the credentials are an API key', async () => {
    const baseUrl = await serve((_request, response) => response.writeHead(401).end());
    expect(await send(baseUrl)).toMatchObject({ status: 401, body: '' });
  });

  it('lets Zapier renew a refused token', async () => {
    const baseUrl = await serve((_request, response) => response.writeHead(401).end());
    const error = await failure(send(baseUrl, {}, { canRenewToken: true }));
    expect(error).toMatchObject({ name: 'RefreshAuthError' });
  });

  it('sends method, query, headers and body as they are, and the bearer token with them', async () => {
    const body = '{"lead_email":"lead@example.com"}';
    const baseUrl = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, url, headers } = request;
      const { authorization, accept } = headers;
      const received = {
        method,
        url,
        authorization,
        accept,
        body: Buffer.concat(chunks).toString(),
      };
      response.end(JSON.stringify(received));
    });
    const answer = await send(baseUrl, {
      method: 'POST',
      url: `${baseUrl}/coupons?city=S%C3%A3o%20Paulo&bbox=1%2C2`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body,
    });
    expect(JSON.parse(answer.body)).toEqual({
      method: 'POST',
      url: '/api/v1/coupons?city=S%C3%A3o%20Paulo&bbox=1%2C2',
      authorization: 'Bearer svc_abc',
      accept: 'application/json',
      body,
    });
  });

  it('sends the bearer token only to addresses below the base URL', async () => {
    const elsewhere = await serve((request, response) => {
      response.end(String(request.headers.authorization));
    });
    const baseUrl = await serve((_request, response) => response.end());
    const { origin } = new URL(elsewhere);
    expect((await send(baseUrl, { url: `${origin}/api/v1/screens` })).body).toBe('undefined');
    expect((await send(baseUrl, { url: `${origin}/api/v10/screens` })).body).toBe('undefined');
  });

  it('follows no redirect', async () => {
    let isFollowed = false;
    const elsewhere = await serve((_request, response) => {
      isFollowed = true;
      response.end();
    });
    const baseUrl = await serve((_request, response) => {
      response.writeHead(302, { location: elsewhere }).end();
    });
    expect(await send(baseUrl)).toMatchObject({ status: 302 });
    expect(isFollowed).toBe(false);
  });

  it('rejects with the caller’s own reason when the caller aborts', async () => {
    const reason = new Error('Enough.');
    const caller = new AbortController();
    const baseUrl = await serve(() => caller.abort(reason));
    expect(await failure(send(baseUrl, { signal: caller.signal }))).toBe(reason);
  });

  it('stops reading a response that is too large for the service', async () => {
    const baseUrl = await serve((_request, response) => response.end('x'.repeat(9 * 1024 * 1024)));
    expect(await failure(send(baseUrl))).toMatchObject({
      code: 'network_error',
      message: expect.stringContaining(
        `${new URL(baseUrl).host} sent more than 8388608 bytes, more than any response of the service. Check the base URL.`,
      ),
    });
  });
});
