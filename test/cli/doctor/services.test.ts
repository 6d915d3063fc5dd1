import { describe, expect, it } from '@jest/globals';
import { environment, typed } from '../command.ts';
import { type Incoming, serve } from '../serve.ts';
import { clientCredentials, doctor, questions, rowsOf } from './support.ts';

const email = 'known.lead@example.com';
const code = 'Private-Code-1';
const args = ['--email', email];
const writeArgs = [...args, '--write', '--code', code];

const screen = (id: number, more: object) => ({ id: `s${id}`, city: `City ${id}`, ...more });

/** Strict, and with its own wrappers. Errors are plain text. */
function strict({ method, path, query, bearer, body }: Incoming): [number, unknown?] {
  if (path === '/oauth/token') {
    if (body.client_secret !== 'right-secret') return [422, 'Unprocessable'];
    return [200, { access_token: 'token_strict', token_type: 'Bearer', expires_in: 30 }];
  }
  if (bearer !== 'token_strict') return [400, 'Bad token'];
  if (path === '/screens') {
    const place = { latitude: 52_520_008, longitude: 13_404_954, is_active: false };
    return [200, { data: [screen(1, place)], pagination: { cursor: null, has_more: true } }];
  }
  if (path === '/screens/s1/availability') return [404];
  if (path === '/screens/s1') return [200, { screen: screen(1, {}) }];
  if (path === '/users/lookup') {
    if (query.get('email') !== email) return [200, { data: { exists: false } }];
    return [200, { data: { user: { id: 'user_private_1', email } } }];
  }
  if (path === '/campaign-requests') return [200, { campaign_requests: [], next_page: 2 }];
  if (path === '/coupons') return [201, { coupon: { code, state: 'ACTIVE' } }];
  if (path.endsWith('/revoke')) return [415, 'JSON wanted'];
  if (path === '/landing-links') return [422, 'campaign is required'];
  return [method === 'GET' ? 400 : 500, 'Bad request'];
}

const expected: Readonly<Record<string, string>> = {
  refusedCredentials: 'differs: Invented credentials return 422',
  invalidToken: 'differs: A wrong token, a wrong API key, and none return 400',
  missingScope: 'not_seen: No scope is missing',
  tokenLifetime: 'differs: 30 seconds',
  tokenType: 'accepted: Bearer',
  singleRecord:
    'differs: Neither bare nor under "data" (screen): screen; Neither bare nor under "data" (coupon): coupon',
  userLookup: 'differs: Without user_id: user',
  coordinates: 'differs: Degrees in 0 of 1 screens, missing in 0',
  unbookableScreen:
    'accepted: 1 of 1 listed screens are inactive; the availability of one returns 404',
  largestPage: 'accepted: limit=201 returns 200 with 1 screens',
  smallestPage: 'accepted: limit=0 returns 200 with 1 screens',
  lastCursor: 'differs: null, with has_more true',
  campaignRequestList:
    'differs: Neither a list nor a list under "data": campaign_requests, next_page',
  openRequest: 'not_seen: All of 0 requests have an outcome',
  campaignRequestPeriod: 'not_seen: No campaign request has a time of creation',
  invalidParameter: 'differs: A wrong date returns 404',
  unknownCoupon: 'accepted: An unknown coupon returns 400, a campaign request 400',
  ownCode: 'as_assumed: A code of 14 characters returns 201',
  revokeAnswer: 'differs: Revoking returns 415 with none',
  revokeRequest: 'differs: Without a body, revoking returns 415',
  couponState: 'accepted: Revoking changes none',
  letterCase: 'as_assumed: The code in another case returns 400',
  landingLinkBody: 'differs: With utm_campaign: 422, and a link without it',
  problemDocuments: 'differs: 12 of 12 errors have neither title nor detail',
  retryAfter: 'not_seen: No rate limit was met',
  requestId: 'as_assumed: Absent',
};

describe('against a service that differs, doctor', () => {
  const run = async (...given: string[]) => {
    const clientIds: unknown[] = [];
    const { baseUrl, requests } = await serve((incoming) => {
      if (incoming.path === '/oauth/token') clientIds.push(incoming.body.client_id);
      return strict(incoming);
    });
    const env = clientCredentials(baseUrl, 'example-id', 'right-secret');
    return { ...(await doctor(env, ...given)), env, requests, clientIds };
  };

  it('names each difference, and shows no private data', async () => {
    const {
      code: exitCode,
      output,
      errors,
      printed,
      differing,
      requests,
    } = await run(...writeArgs);
    expect({ exitCode, errors }).toEqual({ exitCode: 9, errors: '' });
    const found = printed.checks.map(({ id, state, found }) => [id, `${state}: ${found}`]);
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(Object.keys(expected).sort()).toEqual(questions().sort());
    for (const { action } of differing) expect(action).toMatch(/\.$/);
    for (const hidden of [
      'right-secret',
      'example-id',
      'token_strict',
      email,
      code,
      'user_private',
    ]) {
      expect(output).not.toContain(hidden);
    }
    expect(requests.length).toBeLessThanOrEqual(40);
    const posts = requests.filter(
      (request) => request.startsWith('POST') && !/token/.test(request),
    );
    expect(posts).toEqual(['POST /coupons', `POST /coupons/${code}/revoke`, 'POST /landing-links']);
  });

  it('changes nothing without --write, and sends the real client ID once', async () => {
    const { requests, by, clientIds } = await run(...args, '--code', code);
    expect(clientIds).toEqual(['example-id', expect.stringMatching(/^doctor-/)]);
    const changes = requests.filter((request) => !request.startsWith('GET '));
    expect(changes).toEqual(['POST /oauth/token', 'POST /oauth/token']);
    const ids = by('not_seen').filter(({ found }) => found === 'Add --write and --email');
    expect(ids.map(({ id }) => id).sort()).toEqual(
      questions()
        .filter((id) => !questions(false).includes(id))
        .sort(),
    );
  });

  it('fits its text on one screen, with all differences in the paragraph', async () => {
    const { env, differing } = await run(...args);
    const { output } = await typed(['doctor', ...args], env);
    const lines = output.trimEnd().split('\n');
    expect(rowsOf(lines)).toBeGreaterThanOrEqual(24);
    expect(rowsOf(lines)).toBeLessThanOrEqual(50);
    const [, paragraph = ''] = output
      .replace(/\s+/g, ' ')
      .split('For the Screen Advertising team:');
    for (const { found } of differing) expect(paragraph).toContain(found);
  });
});

it.each([
  ['application/problem+json; charset=utf-8', /^as_assumed: All \d+ errors$/],
  ['application/json', /^accepted: All members, with another content type$/],
])('doctor judges errors of the type %s', async (type, seen) => {
  const problem = { type: 'about:blank', title: 'Wrong', status: 401, detail: 'All is wrong.' };
  const { baseUrl } = await serve(({ path, bearer }) =>
    path === '/screens' && bearer === 'svc_example'
      ? [200, { data: [] }]
      : [401, problem, { 'content-type': type }],
  );
  const { printed } = await doctor(environment(baseUrl, { apiKey: 'svc_example' }));
  const { state, found } = printed.checks.find(({ id }) => id === 'problemDocuments') ?? {};
  expect(`${state}: ${found}`).toMatch(seen);
});

it('doctor judges a service whose requests are open and whose errors only have a detail', async () => {
  const open = { id: 7, status: 'open', created_at: '2027-03-01T12:00:00Z' };
  const { baseUrl } = await serve(({ path, query, bearer, body }) => {
    if (body.client_secret === 'right-secret')
      return [200, { access_token: 'token_open', token_type: 'JWT' }];
    if (bearer !== 'token_open') return [401, { detail: 'Unknown token' }];
    if (path === '/campaign-requests') {
      return [200, { data: (query.get('to') ?? '9') > '2027-03-01' ? [open] : [] }];
    }
    return path === '/screens' ? [200, { data: [] }] : [404, { detail: 'Not here' }];
  });
  const { printed } = await doctor(clientCredentials(baseUrl, 'id', 'right-secret'), ...args);
  const found = printed.checks.map(({ id, state, found }) => [id, `${state}: ${found}`]);
  expect(Object.fromEntries(found)).toMatchObject({
    tokenLifetime: 'accepted: The token response has no usable expires_in',
    tokenType: 'accepted: JWT',
    userLookup: 'differs: GET /users/lookup returns 404',
    openRequest: 'accepted: null in 0 of 1 without an outcome',
    campaignRequestPeriod: 'accepted: A day excludes its requests, the next one includes them',
    problemDocuments: 'accepted: Without type, title, status',
  });
});
