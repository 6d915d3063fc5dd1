import { describe, expect, it } from '@jest/globals';
import { deliveryOf, noticeIn, openLivelyPage, openPage } from './support.ts';

const textOf = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&#39;', "'");

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
    expect((await visitor.get('/operator/deliveries?state=dead')).html).toContain(
      'No dead deliveries.',
    );
  });

  it('and every other action says why it was refused', async () => {
    const { visitor } = await openPage();
    const refusals: [action: string, fields: Record<string, string>, text: string | RegExp][] = [
      [
        'subscriptions.redeliver',
        { delivery: 'dlv_1' },
        'There is no delivery dlv_1, or it was pruned.',
      ],
      [
        'subscriptions.redeliver',
        { delivery: `dlv_${'0'.repeat(32)}_1` },
        /^There is no delivery dlv_0+_1, or it was pruned/,
      ],
      ['subscriptions.redeliver', { subscription: 'sub_1' }, 'Choose deliveries first.'],
      ['subscriptions.retry', {}, 'Choose deliveries first.'],
      [
        'subscriptions.retry',
        { delivery: 'dlv_1' },
        'There is no delivery dlv_1, or it was pruned.',
      ],
      ['subscriptions.retry', { subscription: 'sub_1' }, 'There is no subscription sub_1.'],
      [
        'subscriptions.redeliver',
        { subscription: 'sub_1', missing: 'true' },
        'There is no subscription sub_1.',
      ],
      [
        'subscriptions.redeliver',
        { subscription: 'sub_1', states: 'dead' },
        'There is no subscription sub_1.',
      ],
      [
        'events.redeliver',
        { event: 'evt_1', subscription: 'sub_1' },
        'There is no subscription sub_1.',
      ],
      ['events.redeliver', { event: 'evt_1' }, 'There is no event evt_1, or it was pruned.'],
      ['subscriptions.change', { subscription: 'sub_1' }, 'There is no subscription sub_1.'],
      ['subscriptions.change', { state: 'active' }, 'There is no subscription .'],
      ['add-source', { name: 'Main', secret: 'x' }, /^The name of a source must have up to 63/],
      [
        'add-source',
        { name: 'main', secret: 'signing-secret' },
        /^The source "main" already exists\./,
      ],
      ['rotate-source', { name: 'none', secret: 'x' }, 'There is no source "none".'],
      ['rotate-source', { name: 'main', secret: 'http://x' }, /source is a web address\./],
      ['create-token', { source: 'main' }, 'Give the token a name.'],
      ['create-token', { source: 'none', name: 'x' }, /^There is no source "none"/],
      ['rotate-token', { source: 'main', name: 'x' }, /^The source "main" has no active token "x"/],
      ['revoke-token', { source: 'main', name: 'x' }, /^The source "main" has no active token "x"/],
    ];
    for (const [action, fields, text] of refusals) {
      const { status, html } = await visitor.post(`/operator/actions/${action}`, {
        ...fields,
        from: '/operator/tokens?after=9',
      });
      expect([action, status]).toEqual([action, 400]);
      expect(noticeIn(html)).toMatch(text instanceof RegExp ? text : new RegExp(`^${text}$`));
      expect(html).toContain('<h1>Tokens</h1>');
      expect(html).toContain('name="from" value="/operator/tokens?after=9"');
    }
  });

  it('of a subscription that is off waits until it is on', async () => {
    const { visitor, relay, subscription, dead, arrivals } = await openLivelyPage();
    await visitor.submit('subscriptions.change', { subscription, state: 'off' });
    expect(await visitor.submit('subscriptions.redeliver', { subscription, states: 'dead' })).toBe(
      'Queued 1 delivery.',
    );
    expect(await visitor.submit('events.redeliver', { event: dead })).toBe('Nothing to redeliver.');
    await relay.clock.advance(0);
    expect(arrivals).toHaveLength(3);
    await visitor.submit('subscriptions.change', { subscription, state: 'active' });
    await relay.clock.advance(0);
    expect(arrivals).toHaveLength(4);
  });

  it('gets a 404 under any other name', async () => {
    const { visitor } = await openPage();
    for (const name of ['nothing', 'toString', '__proto__', 'constructor']) {
      expect((await visitor.post(`/operator/actions/${name}`)).status).toBe(404);
    }
  });
});

describe('a subscription', () => {
  it('is switched off and on', async () => {
    const { visitor, call, subscription } = await openLivelyPage();
    const path = `/operator/subscriptions/${subscription}`;
    const state = async () => (await call('GET', `/subscriptions/${subscription}`)).body;
    const submit = (fields: Record<string, string>) =>
      visitor.submit('subscriptions.change', { subscription, from: path, ...fields });
    expect(await submit({ state: 'off' })).toMatch(/^Subscription switched off\./);
    expect(await state()).toMatchObject({ state: 'off', off_reason: 'by_hand' });
    const { html } = await visitor.get(path);
    expect(html).toContain('Switched off by an operator');
    expect(html).toMatch(/Next attempt<\/dt>\s*<dd[^>]*>none while it is off</);
    expect(await submit({ state: 'active' })).toMatch(/^Subscription switched on\./);
    expect(await state()).toMatchObject({ state: 'active', off_reason: null });
  });

  it('gets a limit of deliveries at once', async () => {
    const { visitor, call, subscription } = await openLivelyPage();
    const from = `/operator/subscriptions/${subscription}`;
    const limit = (fields: Record<string, string>) =>
      visitor.submit('subscriptions.change', { subscription, from, ...fields });
    const record = async () => (await call('GET', `/subscriptions/${subscription}`)).body;
    expect(await limit({ max_concurrency: '2' })).toBe('Limit saved.');
    expect(await record()).toMatchObject({ max_concurrency: 2 });
    expect((await visitor.get(from)).html).toContain('<dd>2 at once');
    expect(await limit({ max_concurrency: 'many' })).toBe(
      'max_concurrency must be a whole number from 1 to 16.',
    );
  });
});

describe('a source', () => {
  it('is added, and gets a new secret', async () => {
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
    expect(textOf(made.html)).toContain(
      'For the token "Zapier" of the source "main". It is shown only once: copy it now.',
    );
    const { html } = await visitor.get('/operator/tokens');
    expect(html).toMatch(/<td[^>]*>Zapier<\/td>\s*<td[^>]*>main<\/td>\s*<td[^>]*>read<\/td>/);
    expect(html).toContain('<option value="subscribe">subscribe: its own subscriptions');
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
    const { visitor } = await openPage();
    for (const [index, [from, location]] of [
      [
        '/operator/deliveries?state=dead&source=main',
        '/operator/deliveries?state=dead&source=main',
      ],
      ['https://evil.example/', '/'],
      ['//evil.example/', '/'],
      ['/\\evil.example/', '/'],
      ['/in/main', '/'],
      ['javascript:alert(1)', '/'],
      ['/operator/../in/main', '/'],
    ].entries()) {
      const { status, headers } = await visitor.post('/operator/actions/add-source', {
        name: `new-${index}`,
        secret: 'signing-secret',
        from: from ?? '',
      });
      const mark = location?.includes('?') ? '&' : '?';
      expect([from, status, headers.location]).toEqual([
        from,
        303,
        `${location}${mark}done=add-source&count=1`,
      ]);
    }
  });

  it('an address cannot inject text into the page', async () => {
    const { visitor } = await openPage();
    const { html } = await visitor.get('/?done=events.redeliver&count=<b>x</b>');
    expect(noticeIn(html)).toBe('Nothing to redeliver.');
    for (const done of ['nothing', 'toString', 'create-token', '<b>']) {
      expect(noticeIn((await visitor.get(`/?done=${encodeURIComponent(done)}`)).html)).toBe('');
    }
  });
});
