import { describe, expect, it } from '@jest/globals';
import { scopes } from '@screen-advertising/core/contract';
import { problemDetail, start } from '../support/running-sandbox.ts';

describe('the bearer token', () => {
  it('has all scopes of the access, and works until its hour has passed', async () => {
    const { call, full, sandbox } = await start();
    const body = { client_id: full.clientId, client_secret: full.clientSecret };
    const reply = JSON.parse((await call('POST', '/oauth/token', { token: null, body })).text);
    expect(reply).toEqual({
      access_token: expect.stringMatching(/^(?!svc_)\S{20,}$/),
      token_type: 'bearer',
      expires_in: 3600,
      scope: scopes.join(' '),
    });
    const read = () => call('GET', '/screens', { token: reply.access_token });
    await sandbox.clock.advance(3_599_999);
    expect((await read()).status).toBe(200);
    await sandbox.clock.advance(1);
    const late = await read();
    expect(problemDetail(late, 401)).toBe(
      'The access token has expired. Get a new one with POST /oauth/token.',
    );
    expect(late.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });
});

describe('reading a coupon', () => {
  it.each([
    ['coupons:read', 404],
    ['coupons:write', 404],
    ['screens:read', 403],
  ] as const)('with the scope %s alone gets %d', async (scope, status) => {
    const [full] = (await start()).sandbox.accesses;
    const { call } = await start({ accesses: [{ ...full, scopes: [scope] }] });
    const words = { 403: 'coupons:read or coupons:write', 404: 'There is no coupon X.' };
    expect(problemDetail(await call('GET', '/coupons/X'), status)).toContain(words[status]);
  });
});
