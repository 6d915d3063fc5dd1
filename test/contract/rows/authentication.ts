import { expect } from '@jest/globals';
import { at } from '../bench.ts';
import { type Row, row } from '../row.ts';

const hourMs = 3_600_000;

export const tokenRows: readonly Row[] = [
  row('4.1', 'a token request has client_id and client_secret as a JSON body', async (bench) => {
    const { clientId: client_id, clientSecret: client_secret } = bench.full;
    const reply = await bench.send('POST', '/oauth/token', {
      body: { client_id, client_secret },
    });
    expect(reply.status).toBe(200);
  }),
  row('4.1', 'the token endpoint refuses a form body', async (bench) => {
    const reply = await bench.send('POST', '/oauth/token', {
      body: `client_id=${bench.full.clientId}&client_secret=${bench.full.clientSecret}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(reply.status).toBeGreaterThanOrEqual(400);
  }),
  row('2.8', 'a token response has a token, its type, its lifetime and scopes', async (bench) => {
    const { clientId: client_id, clientSecret: client_secret } = bench.full;
    const reply = await bench.send('POST', '/oauth/token', { body: { client_id, client_secret } });
    expect(reply.json).toMatchObject({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      scope: expect.stringContaining('screens:read'),
    });
  }),
  row('5', 'a token carries all scopes of its access', async (bench) => {
    const { clientId: client_id, clientSecret: client_secret, scopes } = bench.limited;
    const reply = await bench.send('POST', '/oauth/token', { body: { client_id, client_secret } });
    expect(String(at(reply.json, 'scope')).split(' ').sort()).toEqual([...scopes].sort());
  }),
  row(
    '4.1',
    'wrong credentials are refused, and the client says which are wrong',
    async (bench) => {
      const wrong = { ...bench.full, clientSecret: 'wrong' };
      const client = bench.client('client-credentials', { retry: false }, wrong);
      await expect(client.screens.list()).rejects.toMatchObject({
        code: 'authentication_failed',
        message: expect.stringContaining('The client ID or client secret is wrong'),
      });
      expect(bench.sent).toHaveLength(1);
    },
    ['refusedCredentials'],
  ),
  row('5', 'an access token expires after 3600 seconds', async (bench) => {
    const token = await bench.accessToken();
    await bench.sandbox.clock.advance(hourMs - 1000);
    expect((await bench.get('/screens', token)).status).toBe(200);
    await bench.sandbox.clock.advance(2000);
    expect((await bench.get('/screens', token)).status).toBe(401);
  }),
];

export const authenticationRows: readonly Row[] = [
  row('5', 'an X-API-Key header grants no access', async (bench) => {
    const reply = await bench.send('GET', '/screens', {
      headers: { 'x-api-key': bench.full.apiKey },
    });
    expect(reply.status).toBe(401);
  }),
  row('5', 'a bearer value that starts with svc_ is read as an API key', async (bench) => {
    expect(bench.full.apiKey).toMatch(/^svc_/);
    expect((await bench.get('/screens', bench.full.apiKey)).status).toBe(200);
  }),
  row('5', 'any other bearer value is read as an access token', async (bench) => {
    const token = await bench.accessToken();
    expect(token).not.toMatch(/^svc_/);
    expect((await bench.get('/screens', token)).status).toBe(200);
    expect((await bench.get('/screens', bench.full.apiKey.slice(4))).status).toBe(401);
  }),
  row('5', 'a credential of another scheme is refused', async (bench) => {
    const basic = Buffer.from(`${bench.full.clientId}:${bench.full.clientSecret}`).toString(
      'base64',
    );
    const reply = await bench.send('GET', '/screens', {
      headers: { authorization: `Basic ${basic}` },
    });
    expect(reply.status).toBe(401);
  }),
  row('9', 'the base URL ends in /api/v1', async (bench) => {
    expect(bench.baseUrl).toMatch(/\/api\/v1$/);
    const root = bench.baseUrl.replace('/api/v1', '');
    expect((await fetch(`${root}/screens`)).status).toBe(404);
  }),
];
