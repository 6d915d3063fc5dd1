import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { deliveryOf, openLivelyPage, openPage } from './support.ts';

const type = 'campaign.paid';

describe('an event that no subscription matched', () => {
  it('says what to do, and goes to one that came later, with all that it missed', async () => {
    const { visitor, relay, call, deliver } = await openPage();
    for (const id of ['early', 'lost', 'next']) {
      await deliver({ id, type, data: {} });
      await relay.clock.advance(1_000);
    }
    const [, { id: event }] = (await call('GET', '/events')).body.data;
    const page = `/operator/events/${event}`;
    const before = (await visitor.get(page)).html;
    expect(before).toContain(
      'No attempt yet. If no subscription matched when it arrived, deliver it to one.',
    );
    expect(before).toContain('No subscription is on. Publish the workflow');
    const later = await startReceiver();
    const put = { target_url: later.url, events: [type], name: 'Zap' };
    const { body } = await call('PUT', '/subscriptions', put);
    const own = (await visitor.get(`/operator/subscriptions/${body.id}`)).html;
    expect(own).toMatch(
      /Events of its types arrived before it existed, the latest at <time[^>]*>2027-03-01 09:00:02/,
    );
    const since = '2027-03-01T09:00:01.000Z';
    expect((await visitor.get(page)).html).toContain(`name="since" value="${since}"`);
    const form = { event, since, subscription: body.id };
    expect(await visitor.submit('subscriptions.redeliver', { ...form, missing: 'true' })).toBe(
      'Queued 2 deliveries.',
    );
    await relay.clock.advance(0);
    expect(later.arrivals).toHaveLength(2);
    await relay.clock.advance(2 * 3_600_000);
    for (const [hours, notice] of [
      ['', 'Nothing to redeliver.'],
      ['1', 'Nothing to redeliver.'],
      ['24', 'Queued 1 delivery.'],
    ] as const) {
      const fields = { subscription: body.id, missing: 'true', hours };
      expect(await visitor.submit('subscriptions.redeliver', fields)).toBe(notice);
    }
    await relay.clock.advance(0);
    expect((await visitor.get(`/operator/subscriptions/${body.id}`)).html).not.toContain(
      'arrived before it existed',
    );
  });
});

it('an attempt shows in the color of its end', async () => {
  const { visitor } = await openLivelyPage();
  const { html } = await visitor.get('/operator/deliveries');
  expect(html).toContain('<span class="badge good">200</span>');
  expect(html).toContain('<span class="badge bad">500</span>');
});

describe('a subscription that was off', () => {
  it('gets what it missed in steps that the page shows', async () => {
    const { visitor, relay, call, deliver, subscription, arrivals } = await openLivelyPage();
    await visitor.submit('subscriptions.change', { subscription, state: 'off' });
    await deliver({ id: 'meanwhile', type, data: {} });
    await relay.clock.advance(1_000);
    const { html } = await visitor.get(`/operator/subscriptions/${subscription}`);
    expect(html).toContain('<button class="primary">Switch on</button>');
    expect(html).toMatch(/Deliver again.*>Retry<.*>Redeliver<.*>Deliver<\/button>/s);
    for (const [action, fields, notice] of [
      ['subscriptions.retry', {}, 'Queued 1 delivery.'],
      ['subscriptions.redeliver', { states: 'dead' }, 'Queued 1 delivery.'],
      ['subscriptions.redeliver', { missing: 'true' }, 'Queued 1 delivery.'],
      [
        'subscriptions.change',
        { state: 'active' },
        'Subscription switched on. It continues where it stopped.',
      ],
    ] as const) {
      expect(await visitor.submit(action, { subscription, ...fields })).toBe(notice);
    }
    await relay.clock.advance(0);
    expect(arrivals).toHaveLength(6);
    expect((await call('GET', '/deliveries?state=delivered')).body.data).toHaveLength(4);
  });
});

describe('an event whose subscription is off', () => {
  const every = '>Redeliver to every subscription</button>';

  it('says what happens once it is on', async () => {
    const { visitor, dead, subscription } = await openLivelyPage();
    const page = `/operator/events/${dead}`;
    expect((await visitor.get(page)).html).toContain(every);
    expect((await visitor.get('/operator/deliveries?state=dead')).html).toContain(
      'Redeliver chosen deliveries',
    );
    await visitor.submit('subscriptions.change', { subscription, state: 'off' });
    const { html } = await visitor.get(page);
    expect(html).not.toContain(every);
    expect(html).toContain(
      'Each of these subscriptions is off. Open a delivery to see how it can be redelivered.',
    );
    expect(html).toContain('Its subscription is off. It gets this once it is on.');
    expect(html).toContain('>Redeliver</button>');
  });

  it('for good says why, and what to do', async () => {
    const { visitor, relay, call, dead, subscription } = await openLivelyPage();
    const [used] = await relay.tokens.list();
    await relay.tokens.revoke('main', used?.name ?? '');
    const page = `/operator/events/${dead}`;
    const next =
      ', so nothing can reach it. Publish the workflow or turn on the Zap, with a connector key that works. Then open the event, and deliver it to the new subscription.';
    const { html } = await visitor.get(page);
    expect(html).toContain(`Its token was revoked${next}`);
    expect(html).not.toContain('>Redeliver</button>');
    const list = (await visitor.get('/operator/deliveries?state=dead')).html;
    expect(list).not.toContain('Redeliver chosen deliveries');
    expect(list).toMatch(/aria-label="Choose dlv_\w+" disabled>/);
    const { token } = await relay.tokens.create('main', 'n8n', ['manage']);
    expect((await call('DELETE', `/subscriptions/${subscription}`, undefined, token)).status).toBe(
      204,
    );
    const deleted = (await visitor.get(page)).html;
    expect(deleted).toContain(`The subscription was deleted${next}`);
    expect(deleted).not.toContain('>Redeliver</button>');
  });
});

describe('the choice of a subscription for an event', () => {
  it('marks those that do not subscribe to its type', async () => {
    const { visitor, call, delivered } = await openLivelyPage();
    const put = { target_url: 'http://127.0.0.1:9/', events: ['coupon.redeemed'] };
    for (const [nth, name] of ['n8n', 'n8n, test'].entries()) {
      const own = {
        target_url: `${put.target_url}${nth}`,
        name: `Coupons (${name} 0123456789abcdef)`,
      };
      await call('PUT', '/subscriptions', { ...put, ...own });
    }
    const { html } = await visitor.get(`/operator/events/${delivered}`);
    const options = [...html.matchAll(/<option value="sub_\w+">([^<]*)<\/option>/g)];
    expect(options.map(([, label]) => label)).toEqual([
      'Zap',
      'Coupons (n8n, test) (does not subscribe to campaign.paid)',
      'Coupons (n8n) (does not subscribe to campaign.paid)',
    ]);
  });
});

describe('several deliveries', () => {
  it('are chosen and retried, or redelivered, together', async () => {
    const { visitor, relay, call, deliver } = await openPage();
    const receiver = await startReceiver([500, 500, 500, 410]);
    const put = { target_url: receiver.url, events: [type], name: 'Zap' };
    const { body } = await call('PUT', '/subscriptions', put);
    for (const id of ['1', '2', '3']) {
      await deliver({ id, type, data: {} });
      await relay.clock.advance(0);
    }
    const pending = '/operator/deliveries?state=pending';
    const choices = async (path: string) =>
      [...(await visitor.get(path)).html.matchAll(/name="delivery" value="([^"]*)" aria/g)].map(
        ([, id]) => id ?? '',
      );
    const chosen = await choices(pending);
    expect(chosen).toHaveLength(3);
    const [, second, third] = chosen;
    const delivery = `${second} ${third}`;
    expect(await visitor.submit('subscriptions.retry', { delivery })).toBe('Queued 2 deliveries.');
    await relay.clock.advance(0);
    expect((await call('GET', `/subscriptions/${body.id}`)).body.off_reason).toBe('gone');
    await relay.clock.advance(0);
    await visitor.submit('subscriptions.change', { subscription: body.id, state: 'active' });
    const dead = await choices('/operator/deliveries?state=dead');
    expect(dead).toHaveLength(1);
    expect(await visitor.submit('subscriptions.redeliver', { delivery: dead.join(' ') })).toBe(
      'Queued 1 delivery.',
    );
    expect(
      await visitor.submit('subscriptions.retry', { delivery: (await choices(pending)).join(' ') }),
    ).toBe('Queued 1 delivery.');
    await relay.clock.advance(0);
    expect((await call('GET', '/deliveries?state=delivered')).body.data).toHaveLength(3);
    expect(await visitor.submit('subscriptions.retry', {})).toBe('Choose deliveries first.');
  });

  it('are all retried for a subscription', async () => {
    const { visitor, relay, subscription, dead, arrivals } = await openLivelyPage();
    expect(await visitor.submit('subscriptions.retry', { subscription })).toBe(
      'Queued 1 delivery.',
    );
    await relay.clock.advance(0);
    expect(arrivals).toHaveLength(4);
    expect(await visitor.submit('subscriptions.retry', { subscription })).toBe(
      'No pending deliveries.',
    );
    expect(await visitor.submit('subscriptions.retry', { delivery: deliveryOf(dead) })).toBe(
      'No pending deliveries.',
    );
  });
});
