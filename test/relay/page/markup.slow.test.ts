import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { deliveryOf, listPaths, openPage } from './support.ts';

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

describe('what others write', () => {
  it('stays text on every page', async () => {
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
});
