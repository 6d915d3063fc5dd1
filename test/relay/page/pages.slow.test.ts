import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase, subscribe } from '../support/running-relay.ts';
import { openLivelyPage, openPage } from './support.ts';

it('a page says what is missing while there is nothing yet', async () => {
  const { visitor, relay } = await openPage();
  await relay.tokens.revoke('main', (await relay.tokens.list())[0]?.name ?? '');
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
  const { visitor, relay, databaseUrl } = opened;
  // What runs at the start needs the tables.
  await relay.clock.advance(0);
  await onDatabase(databaseUrl, (client) => client.query('DROP TABLE attempt, sign_in_token'));
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
    const { visitor, relay, subscription } = await openLivelyPage();
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
    const [token] = await relay.tokens.list();
    await relay.tokens.revoke('main', token?.name ?? '');
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
