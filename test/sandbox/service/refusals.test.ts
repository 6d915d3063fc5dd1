import { afterAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '@screen-advertising/core';
import { createSandbox } from '@screen-advertising/sandbox';
import { problemDetail } from '../support/running-sandbox.ts';

const sandbox = createSandbox({ clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });
const [full, second, limited] = sandbox.accesses;
afterAll(() => sandbox.close());

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(call: string, { body, headers = {} }: Sent = {}) {
  const [method = '', path] = call.split(' ');
  const response = await sandbox.fetch(`http://sandbox/api/v1${path}`, {
    method,
    headers: Object.entries({
      authorization: `Bearer ${full.apiKey}`,
      'content-type': 'application/json',
      ...headers,
    }).filter(([, value]) => value !== ''),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };
const box = 'bbox must be west,south,east,north in degrees, such as 13.08,52.33,13.76,52.67.';
const moment =
  'must be a date in the format YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z, not';
const availability = 'GET /screens/scr_berlin_0001/availability';

// What a field alone may be is in test/shared/client/request.test.ts.
it.each([
  ['GET /screens?limit=201', 'limit must be at most 200.'],
  ['GET /screens?limit=1.5', 'limit must be a whole number from 1 to 200.'],
  ['GET /screens?limit=1&limit=2', 'limit was sent 2 times.'],
  ['GET /screens?bbox=13,52', box],
  ['GET /screens?bbox=13,,14,53', box],
  ['GET /screens?bbox=13,52,14,53,100', box],
  ['GET /screens?bbox=13,53,14,52', box],
  ['GET /screens?cursor=nonsense', 'cursor is not from a page of this list.'],
  [`${availability}?from=2027-03-01`, 'to must be a calendar date'],
  ['GET /users/lookup', 'email or vat_uid must be set, but not both.'],
  ['GET /campaign-requests?from=monday', `from ${moment} "monday".`],
  ['GET /campaign-requests?to=monday', `to ${moment} "monday".`],
])('a query is refused with what is wrong, %s: %s', async (call, detail) => {
  expect(problemDetail(await send(call), 400)).toContain(detail);
});

describe('a body is refused with what is wrong', () => {
  const list = 'The body must be a JSON object.';

  it.each<[unknown, string]>([
    ['{"discount_type": ', 'The body is not valid JSON.'],
    ['[]', list],
    ['null', list],
    ['', 'The body is empty; it must be a JSON object.'],
    [
      { ...coupon, discount_value: 101 },
      'discount_value must be at most 100 when discount_type is percent, not 101.',
    ],
    [{ ...coupon, discount_value: 0 }, 'discount_value must be greater than 0.'],
    [{ ...coupon, valid_until: 'next week' }, `valid_until ${moment} "next week".`],
    [{ ...coupon, valid_until: '2027-02-30' }, `valid_until ${moment}`],
    [{}, 'discount_type must be one of'],
    [{}, 'lead_email must be'],
  ])('%j: %s', async (body, detail) => {
    expect(problemDetail(await send('POST /coupons', { body }), 400)).toContain(detail);
  });

  it('that is a form, or larger than 16 MB', async () => {
    const form = {
      body: 'client_id=a',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect(problemDetail(await send('POST /oauth/token', form), 415)).toBe(
      'The body must be JSON with the header Content-Type: application/json; got application/x-www-form-urlencoded.',
    );
    const init = { method: 'POST', body: new Uint8Array([1]) };
    const bare = await sandbox.fetch('http://sandbox/api/v1/oauth/token', init);
    expect((await bare.json()).detail).toContain('got no content type.');
    const body = { ...coupon, lead_metadata: 'x'.repeat(16 * 1024 * 1024) };
    expect(problemDetail(await send('POST /coupons', { body }), 413)).toBe(
      'The body is longer than 16777216 bytes.',
    );
  });
});

describe('what does not exist is refused', () => {
  const hidden = sandbox.screens.list().find(({ bookable }) => !bookable)?.id ?? '';
  const period = 'from=2027-03-01&to=2027-03-31';
  const notBookable = (id: string) => `There is no screen ${id} that can be booked.`;

  it.each([
    ...['/nothing', '/screens/', '/screens/a/b/c', '/'].map((path) => [
      `GET ${path}`,
      `/api/v1${path} does not exist. The base URL ends in /api/v1.`,
    ]),
    ['GET /screens/scr_nowhere', notBookable('scr_nowhere')],
    [`GET /screens/${hidden}`, notBookable(hidden)],
    [`GET /screens/${hidden}/availability?${period}`, notBookable(hidden)],
    ['GET /coupons/NONE', 'There is no coupon NONE.'],
    ['POST /coupons/NONE/revoke', 'There is no coupon NONE.'],
    ['GET /campaign-requests/cr_9999', 'There is no campaign request cr_9999.'],
  ])('%s: %s', async (call, detail) => {
    expect(problemDetail(await send(String(call)), 404)).toBe(detail);
  });

  it('and so is what another access has, as if it did not exist', async () => {
    const headers = { authorization: `Bearer ${second?.apiKey}` };
    await send('POST /coupons', { body: { ...coupon, code: 'MINE' } });
    for (const call of ['GET /coupons/MINE', 'POST /coupons/MINE/revoke']) {
      const reply = await send(call, { headers });
      expect(problemDetail(reply, 404)).toBe('There is no coupon MINE.');
    }
    const foreign = await send('GET /campaign-requests/cr_0001', { headers });
    expect(problemDetail(foreign, 404)).toBe('There is no campaign request cr_0001.');
  });

  it.each([
    ['GET /oauth/token', 'POST'],
    ['DELETE /screens', 'GET'],
    ['PUT /coupons/SPRING', 'GET'],
    ['GET /coupons/SPRING/revoke', 'POST'],
  ])('%s allows only %s', async (call, allowed) => {
    const reply = await send(call);
    const [method] = call.split(' ');
    expect(problemDetail(reply, 405)).toBe(`${method} is not allowed here, only ${allowed}.`);
    expect(reply.headers.get('allow')).toBe(allowed);
  });
});

const allScopes: readonly Scope[] = [
  'screens:read',
  'coupons:read',
  'coupons:write',
  'users:read',
  'links:write',
  'campaign_requests:read',
];

describe('a credential is refused', () => {
  const unknownToken =
    'The access token is unknown. Values that start with svc_ are read as API keys, all others as access tokens.';

  it.each<[string, Record<string, string>, string]>([
    ['none', { authorization: '' }, 'The Authorization: Bearer <token> header is missing.'],
    [
      'X-API-Key',
      { authorization: '', 'x-api-key': 'svc_sandbox_full_4f7d2c9a61' },
      'The X-API-Key header is ignored. Send the API key as Authorization: Bearer <API_KEY>.',
    ],
    [
      'Basic',
      { authorization: 'Basic YTpi' },
      'The Authorization header must be Bearer, a space, and an API key or access token.',
    ],
    ['an unknown API key', { authorization: 'Bearer svc_unknown' }, 'The API key is unknown.'],
    [
      'an API key without its prefix',
      { authorization: 'Bearer sandbox_full_4f7d2c9a61' },
      unknownToken,
    ],
  ])('%s', async (_which, headers, detail) => {
    expect(problemDetail(await send('GET /screens', { headers }), 401)).toBe(detail);
  });

  it.each([
    ['a wrong secret', { client_id: full.clientId, client_secret: 'wrong' }],
    ['an unknown client', { client_id: 'nobody', client_secret: full.clientSecret }],
    ['another client', { client_id: second?.clientId, client_secret: full.clientSecret }],
  ])('%s, without which of the two is wrong', async (_which, body) => {
    expect(problemDetail(await send('POST /oauth/token', { body }), 401)).toBe(
      'The client_id or client_secret is wrong.',
    );
  });

  it('an access token whose hour has passed', async () => {
    const body = { client_id: full.clientId, client_secret: full.clientSecret };
    const { access_token } = JSON.parse((await send('POST /oauth/token', { body })).text);
    const headers = { authorization: `Bearer ${access_token}` };
    await sandbox.clock.advance(3_599_999);
    expect((await send('GET /screens', { headers })).status).toBe(200);
    await sandbox.clock.advance(1);
    const late = await send('GET /screens', { headers });
    expect(problemDetail(late, 401)).toBe(
      'The access token has expired. Get a new one with POST /oauth/token.',
    );
    expect(late.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it.each([
    ['GET /screens', 'screens:read'],
    ['GET /screens/x', 'screens:read'],
    ['GET /screens/x/availability', 'screens:read'],
    ['POST /coupons', 'coupons:write'],
    ['GET /coupons/x', 'coupons:read or coupons:write'],
    ['POST /coupons/x/revoke', 'coupons:write'],
    ['GET /users/lookup', 'users:read'],
    ['POST /landing-links', 'links:write'],
    ['GET /campaign-requests', 'campaign_requests:read'],
    ['GET /campaign-requests/x', 'campaign_requests:read'],
  ])('for %s without the scope %s', async (call, scopes) => {
    const [method = '', path] = call.split(' ');
    const statusWith = async (...given: Scope[]) => {
      const other = createSandbox({ accesses: [{ ...full, scopes: given }] });
      const headers = { authorization: `Bearer ${full.apiKey}` };
      const reply = await other.fetch(`http://sandbox/api/v1${path}`, { method, headers });
      await other.close();
      const { detail } = await reply.json().catch(() => ({}));
      return { status: reply.status, detail };
    };
    expect(await statusWith(...allScopes.filter((scope) => !scopes.includes(scope)))).toEqual({
      status: 403,
      detail: expect.stringContaining(scopes),
    });
    for (const scope of allScopes.filter((one) => scopes.includes(one)))
      expect((await statusWith(scope)).status).not.toBe(403);
  });

  it('without its scope, which it names', async () => {
    const headers = { authorization: `Bearer ${limited?.apiKey}` };
    const reply = await send('POST /landing-links', { body: {}, headers });
    expect(problemDetail(reply, 403)).toBe(
      'This access lacks the scope links:write. The Screen Advertising team grants scopes.',
    );
    expect(reply.headers.get('www-authenticate')).toContain('scope="links:write"');
  });
});
