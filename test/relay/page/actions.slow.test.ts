import { beforeAll, describe, expect, it } from '@jest/globals';
import { deliveryOf, noticeIn, type Opened, openLivelyPage, openPage } from './support.ts';

/** For tests that change nothing. */
let shared: Opened;

beforeAll(async () => {
  shared = await openPage();
});

describe('a redelivery', () => {
  it("of one delivery, of an event, of a subscription's dead deliveries, and of all its deliveries", async () => {
    const { visitor, relay, subscription, delivered, dead, arrivals } = await openLivelyPage();
    expect(arrivals).toHaveLength(3);
    const states = 'pending delivered ignored dead';
    for (const [action, fields, notice, sent] of [
      ['subscriptions.redeliver', { delivery: deliveryOf(dead) }, 'Queued 1 delivery.', 1],
      ['events.redeliver', { event: delivered }, 'Queued 1 delivery.', 1],
      ['subscriptions.redeliver', { subscription, states: 'dead' }, 'Nothing to redeliver.', 0],
      ['subscriptions.redeliver', { subscription, states }, 'Queued 3 deliveries.', 3],
    ] as const) {
      const before = arrivals.length;
      expect(await visitor.submit(action, fields)).toBe(notice);
      await relay.clock.advance(0);
      expect([action, arrivals.length - before]).toEqual([action, sent]);
    }
  });

  it.each([
    ['subscriptions.redeliver', { delivery: 'dlv_1' }, /^There is no delivery dlv_1, or it was/],
    ['subscriptions.retry', {}, /^Choose deliveries first\.$/],
    ['subscriptions.change', { state: 'active' }, /^There is no subscription \.$/],
    ['rotate-source', { name: 'none', secret: 'x' }, /^There is no source "none"\.$/],
    ['remove-source', { name: 'main' }, /^The source "main" has active tokens: /],
    ['create-token', { source: 'main' }, /^Give the token a name\.$/],
    ['rotate-token', { source: 'main', name: 'x' }, /^The source "main" has no active token "x"/],
    ['revoke-token', { source: 'main', name: 'x' }, /^The source "main" has no active token "x"/],
  ] as const)('like any action, says why it was refused: %s %j', async (action, fields, text) => {
    const form = { ...fields, from: '/operator/tokens?after=9' };
    const { status, html } = await shared.visitor.post(`/operator/actions/${action}`, form);
    expect([status, noticeIn(html)]).toEqual([400, expect.stringMatching(text)]);
    expect(html).toContain('<h1>Tokens</h1>');
    expect(html).toContain('name="from" value="/operator/tokens?after=9"');
  });

  it('gets a 404 under any other name', async () => {
    const { visitor } = shared;
    for (const name of ['nothing', 'toString', '__proto__', 'constructor']) {
      expect((await visitor.post(`/operator/actions/${name}`)).status).toBe(404);
    }
  });
});

it('a subscription is switched off, and gets a limit of deliveries at once', async () => {
  const { visitor, call, subscription } = await openLivelyPage();
  const from = `/operator/subscriptions/${subscription}`;
  const submit = (fields: Record<string, string>) =>
    visitor.submit('subscriptions.change', { subscription, from, ...fields });
  expect(await submit({ state: 'off' })).toMatch(/^Subscription switched off\./);
  expect(await submit({ max_concurrency: '2' })).toBe('Limit saved.');
  const off = { state: 'off', off_reason: 'by_hand', max_concurrency: 2 };
  expect((await call('GET', `/subscriptions/${subscription}`)).body).toMatchObject(off);
  expect((await visitor.get(from)).html).toContain('<dd>2 at once');
  expect(await submit({ max_concurrency: 'many' })).toBe(
    'max_concurrency must be a whole number from 1 to 16.',
  );
});

it('a source is added, and gets a new secret', async () => {
  const { visitor, relay, deliver } = await openPage();
  expect(await visitor.submit('add-source', { name: 'second', secret: 'first-secret' })).toBe(
    'Source added. Ask the Screen Advertising team to register its address.',
  );
  const from = { source: 'second', secret: 'first-secret' };
  expect((await deliver({ id: '1', type: 'a' }, from)).status).toBe(202);
  expect(await visitor.submit('rotate-source', { name: 'second', secret: 'next-secret' })).toBe(
    'Signing secret saved. The previous one works for 7 more days, or longer, until a delivery is signed with the new one.',
  );
  expect(await visitor.submit('rotate-source', { name: 'second', secret: 'next-secret' })).toBe(
    'Nothing changed: the source has this signing secret already.',
  );
  expect((await visitor.get('/operator/sources')).html).toContain('the new one is used');
  await relay.clock.advance(2_000);
  await deliver({ id: '2', type: 'a' }, { source: 'second', secret: 'next-secret' });
  const { html } = await visitor.get('/operator/sources');
  expect(html).toContain('2027-03-08 09:00:00');
  expect(html).toContain('/in/second</code>');
  expect(html).not.toMatch(/first|next"/);
});

describe('a token', () => {
  it('is created, with a key that is shown once', async () => {
    const { visitor, call } = await openPage();
    const made = await visitor.post('/operator/actions/create-token', {
      source: 'main',
      name: 'Zapier',
      rights: 'read',
      from: '/operator/tokens',
    });
    expect(made.status).toBe(201);
    const [, key = '', token = ''] =
      made.html.match(/<code class="whole">((rly_[\w-]+)\.whsec_[\w+/=]+)<\/code>/) ?? [];
    expect(key).not.toBe('');
    const me = (await call('GET', '/me', undefined, token)).body;
    expect(me).toEqual({ name: 'Zapier', source: 'main', rights: ['read'] });
    expect(made.html).toContain('It is shown only once: copy it now.');
    const { html } = await visitor.get('/operator/tokens');
    expect(html).toMatch(/<td[^>]*>Zapier<\/td>\s*<td[^>]*>main<\/td>\s*<td[^>]*>read<\/td>/);
    expect(html).toContain('Rights: subscribe (its own subscriptions, and all events), read (');
    expect(html).not.toMatch(/rly_|whsec_/);
  });

  it('is rotated only once per form', async () => {
    const { visitor, relay, call } = await openPage();
    const first = await relay.tokens.create('main', 'Zapier');
    const rotate = (seen: string) =>
      visitor.post('/operator/actions/rotate-token', { source: 'main', name: 'Zapier', seen });
    const [one, two] = await Promise.all([rotate(''), rotate('')]);
    expect([one.status, two.status].sort()).toEqual([201, 400]);
    expect(noticeIn(one.status === 400 ? one.html : two.html)).toBe(
      'The token "Zapier" was already rotated, and its new key was shown then. Rotate it again only if that key is lost: the key before it would stop working.',
    );
    expect((await call('GET', '/me', undefined, first.token)).status).toBe(200);
    const { html } = await visitor.get('/operator/tokens');
    const seen = html.match(/name="seen" value="(2027[^"]*)"/)?.[1] ?? '';
    expect((await rotate(seen)).status).toBe(201);
    expect((await call('GET', '/me', undefined, first.token)).status).toBe(401);
  });

  it('is revoked, which switches its subscriptions off', async () => {
    const { visitor, relay, call } = await openPage();
    const { token } = await relay.tokens.create('main', 'Zapier');
    expect(await visitor.submit('revoke-token', { source: 'main', name: 'Zapier' })).toBe(
      'Token revoked, and its subscriptions switched off.',
    );
    expect((await call('GET', '/me', undefined, token)).status).toBe(401);
    expect((await visitor.get('/operator/tokens')).html).toContain('>revoked</span>');
  });
});

describe('after an action', () => {
  it('the browser returns to a page of the operator, and nowhere else', async () => {
    const own = '/operator/deliveries?state=dead&source=main';
    for (const [from, location] of [
      [own, `${own}&`],
      ['https://evil.example/', '/?'],
      ['//evil.example/', '/?'],
      ['/\\evil.example/', '/?'],
      ['/in/main', '/?'],
      ['javascript:alert(1)', '/?'],
      ['/operator/../in/main', '/?'],
    ] as const) {
      const fields = { search: 'unknown', from };
      const { headers } = await shared.visitor.post('/operator/actions/events.erase', fields);
      expect([from, headers.location]).toEqual([from, `${location}done=events.erase&count=0`]);
    }
  });

  it('an address cannot inject text into the page', async () => {
    const { visitor } = shared;
    const { html } = await visitor.get('/?done=events.redeliver&count=<b>x</b>');
    expect(noticeIn(html)).toBe('Nothing to redeliver.');
    for (const done of ['nothing', 'toString', 'create-token', '<b>']) {
      expect(noticeIn((await visitor.get(`/?done=${encodeURIComponent(done)}`)).html)).toBe('');
    }
  });
});
