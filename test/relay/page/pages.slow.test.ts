import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { start, subscribe } from '../support/running-relay.ts';
import { adminToken, deliveryOf, listPaths, openLivelyPage, openPage } from './support.ts';

it('a page says what is missing while there is nothing yet', async () => {
  const { visitor, relay, tokenName } = await openPage();
  await relay.tokens.revoke('main', tokenName);
  for (const [path, text] of [
    ['/', 'No events yet.'],
    ['/operator/events', 'No events.'],
    ['/operator/deliveries', 'No deliveries.'],
    ['/operator/deliveries?state=pending', 'No pending deliveries.'],
    ['/operator/deliveries?state=dead', 'No dead deliveries.'],
    ['/operator/subscriptions', 'No subscriptions.'],
  ] as const) {
    expect((await visitor.get(path)).html).toContain(text);
  }
});

it('a page that fails says so, and shows no more than the log needs', async () => {
  const reported: unknown[] = [];
  const opened = await openPage({ onError: (error) => reported.push(error) });
  const { visitor, relay } = opened;
  // What runs at the start needs the tables.
  await relay.clock.advance(0);
  await opened.query('DROP TABLE attempt, sign_in_token');
  const { status, headers, html } = await visitor.get('/operator/deliveries');
  expect([status, headers['x-frame-options']]).toEqual([500, 'DENY']);
  expect(html).toContain('<p>Internal error in the relay. See its log for the cause.</p>');
  expect(html).not.toContain('sign_in_token');
  expect(reported).toHaveLength(1);
});

describe('what the pages show', () => {
  it('a payload that line breaks would change stays as it is', async () => {
    const { visitor, deliver, call } = await openPage();
    await deliver('{"id":"1","type":"campaign.paid","data":{"n":12345678901234567890}}');
    const [{ id }] = (await call('GET', '/events')).body.data;
    const { html } = await visitor.get(`/operator/events/${id}`);
    expect(html).toContain('{&quot;n&quot;:12345678901234567890}');
  });

  it('says in every list what an event is about: its code and email addresses, else an ID', async () => {
    const opened = await openPage();
    const { visitor, relay, deliver } = opened;
    await subscribe(opened, (await startReceiver()).url, { events: ['*'] });
    const lead_email = 'anna@example.com';
    await deliver({ id: 'a', type: 'coupon.redeemed', data: { code: 'ANNA-1', lead_email } });
    await deliver({ id: 'b', type: 'campaign.paid', data: { amount_cents: 1, user_id: 'usr_7' } });
    await deliver({ id: 'evt-of-the-service', type: 'new.kind', data: { code: 5, email: null } });
    await relay.clock.advance(0);
    for (const path of ['/', '/operator/events', '/operator/deliveries']) {
      const { html } = await visitor.get(path);
      for (const about of [`ANNA-1, ${lead_email}`, 'usr_7', 'evt-of-the-service'])
        expect(html).toContain(about);
    }
    expect((await visitor.get('/operator/events')).html).not.toMatch(/<code>evt_/);
  });

  it('lists by source, type and subscription, and remembers what was chosen', async () => {
    const { visitor, relay, call, subscription } = await openLivelyPage();
    const url = (await call('GET', `/subscriptions/${subscription}`)).body.target_url;
    await relay.sources.add('other', 'another-secret');
    const rows = async (path: string) =>
      (await visitor.get(path)).html.match(/<details id="dlv_|href="\/operator\/events\/evt_/g)
        ?.length ?? 0;
    expect(await rows('/operator/events?type=campaign.paid')).toBe(2);
    expect(await rows('/operator/events?source=other')).toBe(0);
    expect(await rows('/operator/events?source=main')).toBe(3);
    expect(await rows(`/operator/deliveries?subscription=${subscription}`)).toBe(6);
    expect(await rows(`/operator/deliveries?state=dead&subscription=${subscription}`)).toBe(2);
    for (const named of ['zap', 'ZAP', encodeURIComponent(url)]) {
      expect(await rows(`/operator/deliveries?subscription=${named}`)).toBe(6);
    }
    expect(await rows('/operator/deliveries?subscription=zap&source=other')).toBe(0);
    for (const state of ['delivered', 'pending', 'dead']) {
      expect(await rows(`/operator/deliveries?state=${state}&subscription=zap`)).toBe(2);
      expect(await rows(`/operator/deliveries?state=${state}`)).toBe(2);
    }
    expect(await rows('/operator/deliveries?subscription=sub_1')).toBe(0);
    expect((await visitor.get('/operator/deliveries?state=dead')).html).toContain(
      '<option value="Zap"></option>',
    );
    const { html } = await visitor.get('/operator/events?source=other&type=a');
    expect(html).toContain('<option value="other" selected>');
    expect(html).toContain('value="a" placeholder="campaign.paid"');
    expect(html).toContain('<option value="coupon.redeemed"></option>');
  });

  it('subscriptions: their state, and why one is off', async () => {
    const { visitor, relay, tokenName, subscription } = await openLivelyPage();
    const path = `/operator/subscriptions/${subscription}`;
    const page = (await visitor.get(path)).html;
    expect(page).toMatch(
      /<dt>State<\/dt><dd><span [^>]*>failing<\/span> for less than a minute \(since <time[^>]*>2027-03-01 09:00:02<\/time>\): responded with status 500</,
    );
    expect(page).not.toContain('>active<');
    const summaries = [...page.matchAll(/<summary[^>]*>([^<]*)<\/summary>/g)];
    expect(summaries.map(([, label]) => label)).toEqual([
      'Change',
      'Deliver again',
      'Redeliver everything',
      'Switch off',
    ]);
    await relay.tokens.revoke('main', tokenName);
    const { html } = await visitor.get('/operator/subscriptions?state=off');
    expect(html).toContain('Its token was revoked');
    expect((await visitor.get(path)).html).toContain(
      'Its token was revoked: connect again with another connector key.',
    );
  });

  it('leaf from page to page, with every row once', async () => {
    const { visitor, deliver, relay } = await openPage();
    for (let number = 0; number < 60; number += 1) {
      await relay.clock.advance(1);
      await deliver({ id: String(number), type: `kind-${number}` });
    }
    const seen: string[] = [];
    let path: string | undefined = '/operator/events';
    while (path !== undefined) {
      const { html }: { html: string } = await visitor.get(path);
      seen.push(...[...html.matchAll(/>(kind-\d+)<\/a>/g)].map(([, type]) => type ?? ''));
      path = html.match(/<a href="([^"]*)">Older<\/a>/)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `kind-${59 - index}`));
  });
});

const hourMs = 3_600_000;

/** Of the table below the plot: label, events, deliveries, failed attempts. */
function slotsIn(html: string): string[][] {
  const [table = ''] = html.match(/<details id="plot-table">.*?<\/details>/s) ?? [];
  return [...table.matchAll(/<tr[^>]*><td[^>]*>(.*?)<\/tr>/g)]
    .map(([, row = '']) => row.split(/<\/td><td[^>]*>/).map((cell) => cell.replace('</td>', '')))
    .filter(([, ...numbers]) => numbers.some((number) => number !== '0'));
}

/** Kind and height of the bars that can be seen. */
const barsIn = (html: string) =>
  [...html.matchAll(/<rect class="(\w+)".*? height="([\d.]+)"/g)]
    .map(([, kind, height]) => [kind, Number(height)])
    .filter(([, height]) => height !== 0);

describe("the overview's plot", () => {
  it('counts events, deliveries and failed attempts by the hour and by the day', async () => {
    const { visitor, relay, deliver } = await openLivelyPage();
    await deliver({ id: 'one', type: 'campaign.paid', data: { amount_cents: 4200 } });
    await relay.clock.advance(2_000);
    const { html } = await visitor.get('/');
    expect(slotsIn(html)).toEqual([['2027-03-01 09:00', '3', '1', '2']]);
    expect(html).toContain('<desc id="plot-desc">Last 24 hours. Events: 3. Deliveries: 1.');
    expect(html.match(/<rect class="failures"/g)).toHaveLength(24);
    expect(barsIn(html)).toEqual([
      ['events', 130],
      ['deliveries', 43.3],
      ['failures', 86.7],
    ]);
    await relay.clock.advance(2 * hourMs);
    await deliver({ id: 'later', type: 'campaign.paid', data: {} });
    await relay.clock.advance(2_000);
    expect(slotsIn((await visitor.get('/')).html)).toEqual([
      ['2027-03-01 09:00', '3', '2', '2'],
      ['2027-03-01 11:00', '1', '1', '0'],
    ]);
    const days = (await visitor.get('/?range=days')).html;
    expect(slotsIn(days)).toEqual([['2027-03-01', '4', '3', '2']]);
    await relay.clock.advance(23 * hourMs);
    // The session has expired.
    await visitor.signIn();
    expect(slotsIn((await visitor.get('/')).html)).toEqual([['2027-03-01 11:00', '1', '1', '0']]);
  });

  it('adds up what several processes count, also at their end, and is pruned', async () => {
    const first = await openPage();
    await first.deliver({ id: '1', type: 'campaign.paid' });
    const second = await start({ databaseUrl: first.databaseUrl, adminToken });
    await second.deliver({ id: '2', type: 'campaign.paid' });
    await second.deliver({ id: '2', type: 'campaign.paid' });
    await second.relay.close();
    await first.relay.clock.advance(2_000);
    expect(slotsIn((await first.visitor.get('/')).html)).toEqual([
      ['2027-03-01 09:00', '2', '0', '0'],
    ]);
    await first.relay.clock.advance(3 * hourMs);
    await first.relay.prune(hourMs);
    expect(slotsIn((await first.visitor.get('/')).html)).toEqual([]);
  });
});

/** Each part would break out of its place if it were not escaped. */
const payload = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</pre></code></title><script>alert(1)</script>',
  '" autofocus onfocus="alert(1)',
].join('');

const markup =
  /<script(?! src="\/operator\/\w+\.js")|<img src=x|<svg\/onload|" autofocus(?!>)|onfocus="/;

it('what others write stays text on every page', async () => {
  const receiver = await startReceiver([500]);
  const opened = await openPage();
  const { visitor, relay, call, deliver } = opened;
  const { token } = await relay.tokens.create('main', payload);
  // A subscription can name what the source has received.
  await deliver({ id: 'first', type: payload });
  await relay.clock.advance(1_000);
  const { body: subscription } = await call(
    'PUT',
    '/subscriptions',
    {
      target_url: `${receiver.url}?<script>${payload}`,
      events: [payload, 'campaign.paid'],
      name: payload,
    },
    token,
  );
  await deliver({ id: payload, type: payload, data: { [payload]: payload } });
  await relay.clock.advance(0);
  const [{ id: event }] = (await call('GET', '/events')).body.data;
  const search = encodeURIComponent(payload);
  const paths = [
    ...listPaths,
    `/operator/events/${event}`,
    `/operator/subscriptions/${subscription.id}`,
    `/operator/events?type=${search}&source=${search}`,
    `/operator/deliveries?subscription=${search}&state=${search}&after=${search}`,
    `/operator/nothing/${search}?done=${search}`,
    `/operator/sign-in?link=${search}`,
  ];
  for (const path of paths) {
    const { html } = await visitor.get(path);
    expect([path, html.match(markup)]).toEqual([path, null]);
    if (!path.includes('sign-in') && !path.includes('nothing')) expect(html).toContain('</main>');
  }
  expect((await visitor.get('/operator/deliveries')).html).toContain(deliveryOf(event));
  for (const [action, fields] of [
    ['add-source', { name: payload, secret: payload }],
    ['create-token', { source: payload, name: payload }],
    ['create-token', { source: 'main', name: `${payload}2` }],
    ['events.redeliver', { event: payload, from: payload }],
  ] as const) {
    const { html } = await visitor.post(`/operator/actions/${action}`, fields);
    expect([action, html.match(markup)]).toEqual([action, null]);
  }
  const refused = await visitor.get('/', { host: 'evil.example' });
  expect(refused.html.match(markup)).toBeNull();
});
