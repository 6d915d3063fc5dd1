import { describe, expect, it } from '@jest/globals';
import { scopes } from '@screen-advertising/core/contract';
import { problemDetail } from '../support/problem.ts';
import { type Running, start } from '../support/running-sandbox.ts';

const tokenOf = ({ call, full }: Running, body: object = {}) =>
  call('POST', '/oauth/token', {
    token: null,
    body: { client_id: full.clientId, client_secret: full.clientSecret, ...body },
  });

describe('POST /oauth/token', () => {
  it('issues a bearer token for an hour with all scopes of the access', async () => {
    const service = await start();
    const reply = await tokenOf(service);
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toEqual({
      access_token: expect.stringMatching(/^(?!svc_)\S{20,}$/),
      token_type: 'bearer',
      expires_in: 3600,
      scope: scopes.join(' '),
    });
  });

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['an unknown client', { client_id: 'nobody' }],
    ['the secret of another client', { client_id: 'sandbox-second' }],
  ])('responds to %s with 401, without saying which of the two is wrong', async (_case, body) => {
    expect(problemDetail(await tokenOf(await start(), body), 401)).toBe(
      'The client_id or client_secret is wrong.',
    );
  });

  it('names the field that is missing', async () => {
    const reply = await tokenOf(await start(), { client_secret: undefined });
    expect(problemDetail(reply, 400)).toContain('client_secret');
  });
});

describe('the bearer token', () => {
  it('works until its hour has passed', async () => {
    const service = await start();
    const { access_token: token } = JSON.parse((await tokenOf(service)).text);
    const read = () => service.call('GET', '/screens', { token });
    await service.sandbox.clock.advance(3_599_999);
    expect((await read()).status).toBe(200);
    await service.sandbox.clock.advance(1);
    const late = await read();
    expect(problemDetail(late, 401)).toBe(
      'The access token has expired. Get a new one with POST /oauth/token.',
    );
    expect(late.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it.each<[string, Record<string, string>, string]>([
    ['missing', {}, 'The Authorization: Bearer <token> header is missing.'],
    [
      'in X-API-Key',
      { 'x-api-key': 'svc_sandbox_full_4f7d2c9a61' },
      'The X-API-Key header is ignored. Send the API key as Authorization: Bearer <API_KEY>.',
    ],
    [
      'in Basic',
      { authorization: 'Basic YTpi' },
      'The Authorization header must be Bearer, a space, and an API key or access token.',
    ],
    ['an unknown API key', { authorization: 'Bearer svc_unknown' }, 'The API key is unknown.'],
    [
      'an unknown access token',
      { authorization: 'Bearer unknown' },
      'The access token is unknown. Values that start with svc_ are read as API keys, all others as access tokens.',
    ],
    [
      'an API key without its prefix',
      { authorization: 'Bearer sandbox_full_4f7d2c9a61' },
      'The access token is unknown. Values that start with svc_ are read as API keys, all others as access tokens.',
    ],
  ])('is rejected when it is %s', async (_case, headers, detail) => {
    const { call } = await start();
    expect(problemDetail(await call('GET', '/screens', { token: null, headers }), 401)).toBe(
      detail,
    );
  });
});

describe('scopes', () => {
  it.each([
    ['POST', '/coupons', 'coupons:write'],
    ['POST', '/coupons/SPRING/revoke', 'coupons:write'],
    ['GET', '/users/lookup?email=lead@example.com', 'users:read'],
    ['POST', '/landing-links', 'links:write'],
  ])('%s %s responds with 403 without %s, and names it', async (method, path, scope) => {
    const { call, limited } = await start();
    const reply = await call(method, path, { token: limited.apiKey });
    expect(problemDetail(reply, 403)).toBe(
      `This access lacks the scope ${scope}. The Screen Advertising team grants scopes.`,
    );
    expect(reply.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
  });

  it('reading a coupon accepts either of two scopes', async () => {
    const { sandbox } = await start();
    const [full] = sandbox.accesses;
    const only = (scope: 'coupons:read' | 'coupons:write' | 'screens:read') =>
      start({ accesses: [{ ...full, scopes: [scope] }] });
    expect((await (await only('coupons:read')).call('GET', '/coupons/X')).status).toBe(404);
    expect((await (await only('coupons:write')).call('GET', '/coupons/X')).status).toBe(404);
    const neither = await (await only('screens:read')).call('GET', '/coupons/X');
    expect(problemDetail(neither, 403)).toContain('coupons:read or coupons:write');
  });
});
