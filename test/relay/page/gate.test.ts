import { beforeAll, describe, expect, it } from '@jest/globals';
import { listPaths, type Opened, openPage, Visitor } from './support.ts';

const publicUrl = 'https://relay.example.com';
const refusal = /The relay accepts forms only from its own pages; this one came from (.*)\. Open/;

let opened: Opened;

beforeAll(async () => {
  opened = await openPage({ publicUrl });
});

describe('a form', () => {
  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['another name of this machine', { origin: 'http://localhost:8788' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['nowhere', {}],
    ['another site, by its fetch metadata alone', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbor domain', { 'sec-fetch-site': 'same-site' }],
    ['an address typed in', { 'sec-fetch-site': 'none' }],
  ])('from %s is rejected, and does nothing', async (_sender, headers: Record<string, string>) => {
    const { visitor, relay } = opened;
    for (const path of ['actions/create-token', 'sign-out', 'sign-in']) {
      const fields = { source: 'main', name: 'stolen', token: 'x' };
      const { status, html } = await visitor.post(`/operator/${path}`, fields, headers);
      const origin = headers.origin ?? 'an unknown origin';
      expect([status, html.match(refusal)?.[1]]).toEqual([403, origin]);
    }
    expect((await relay.tokens.list()).map(({ name }) => name)).not.toContain('stolen');
    expect((await visitor.get('/')).status).toBe(200);
  });

  it("from another site is rejected even with the relay's own origin", async () => {
    const { visitor } = opened;
    const headers = { origin: visitor.url, 'sec-fetch-site': 'cross-site' };
    expect((await visitor.post('/operator/sign-out', {}, headers)).status).toBe(403);
  });

  it('from its own pages is accepted, with each header that browsers send', async () => {
    const { visitor, url } = opened;
    const proxied = { host: 'relay.example.com', origin: publicUrl };
    const own: Record<string, string>[] = [{ origin: url }, { 'sec-fetch-site': 'same-origin' }];
    for (const headers of [...own, proxied]) {
      const { status } = await visitor.post('/operator/actions/revoke-token', {}, headers);
      expect(status).toBe(400);
    }
  });

  it('is read only up to its maximum length', async () => {
    const { visitor } = opened;
    const { status, html } = await visitor.post('/operator/sign-in', { token: 'x'.repeat(20_000) });
    expect(status).toBe(413);
    expect(html).toContain('The body is longer than 16384 bytes.');
  });
});

describe('the host of a request', () => {
  it.each([
    ['evil.example', 421],
    ['relay.example.com.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost.evil.example', 421],
    ['relay.example.com:8788', 421],
    ['0.0.0.0:8788', 421],
    // Rejected before the page sees it.
    ['relay.example.com@evil.example', 400],
    ['evil.example@127.0.0.1', 400],
  ])('%s is rejected with %i, even with a session, and sees no data', async (host, expected) => {
    const { visitor, deliver } = opened;
    await deliver({ id: '1', type: 'campaign.paid' });
    for (const path of ['/', '/operator/events', '/operator/sign-in', '/operator/styles.css']) {
      const { status, html } = await visitor.get(path, { host });
      expect([path, status]).toEqual([path, expected]);
      expect(html).not.toContain('campaign.paid');
      if (status === 421) expect(html).toContain(`does not respond under the name &quot;${host}`);
    }
    const headers = { host, origin: `http://${host}` };
    expect((await visitor.post('/operator/sign-out', {}, headers)).status).toBe(expected);
    expect((await visitor.get('/')).status).toBe(200);
  });

  it.each([
    ...['relay.example.com', 'RELAY.example.com:443', 'localhost:1', '127.0.0.1', '[::1]:8788'],
  ])('may be %s', async (host) => {
    expect((await opened.visitor.get('/', { host })).status).toBe(200);
  });

  it('does not matter for the service and connectors', async () => {
    const visitor = new Visitor(opened.url);
    expect((await visitor.get('/healthz', { host: 'evil.example' })).status).toBe(200);
  });
});

it('every response of the page forbids frames and caching, and runs no scripts', async () => {
  const { visitor } = opened;
  const stranger = new Visitor(visitor.url);
  const responses = await Promise.all([
    ...listPaths.map((path) => visitor.get(path)),
    visitor.get('/operator/nothing'),
    visitor.get('/operator/styles.css'),
    visitor.get('/operator/icon.svg'),
    visitor.send('HEAD', '/', null, {}),
    stranger.get('/'),
    stranger.get('/operator/sign-in'),
    stranger.get('/operator/sign-in?link=x'),
    stranger.post('/operator/sign-in', { token: 'wrong' }),
    stranger.post('/operator/sign-in', {}, {}),
    stranger.get('/', { host: 'evil.example' }),
  ]);
  expect(responses.length).toBeGreaterThan(10);
  for (const { headers } of responses) {
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});
