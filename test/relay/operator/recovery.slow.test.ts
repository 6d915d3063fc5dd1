import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
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
    const form = { event, subscription: body.id };
    expect(await visitor.submit('replay-event-to', { ...form, also: 'missing' })).toBe(
      'Delivering 2 events.',
    );
    await relay.clock.advance(0);
    expect(later.arrivals).toHaveLength(2);
    await relay.clock.advance(2 * 3_600_000);
    for (const [hours, notice] of [
      ['1', 'Nothing is missing.'],
      ['24', 'Delivering 1 event.'],
    ] as const) {
      expect(await visitor.submit('replay-missing', { subscription: body.id, hours })).toBe(notice);
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
  it('is switched on with its dead deliveries and what arrived meanwhile, once', async () => {
    const { visitor, relay, call, deliver, subscription, arrivals } = await openLivelyPage();
    await visitor.submit('switch-off', { subscription });
    await deliver({ id: 'meanwhile', type, data: {} });
    await relay.clock.advance(1_000);
    const { html } = await visitor.get(`/operator/subscriptions/${subscription}`);
    expect(html).toContain('<button class="primary">Switch on and recover</button>');
    expect(await visitor.submit('recover-subscription', { subscription })).toBe(
      'Subscription switched on. Replaying 3 deliveries.',
    );
    await relay.clock.advance(0);
    expect(arrivals).toHaveLength(6);
    expect((await call('GET', '/deliveries?state=delivered')).body.data).toHaveLength(4);
    expect(await visitor.submit('recover-subscription', { subscription })).toBe(
      'Subscription switched on. Nothing to replay.',
    );
  });

  it('is switched on by a dead delivery, in one step', async () => {
    const { visitor, relay, call, subscription, dead, arrivals } = await openLivelyPage();
    await visitor.submit('switch-off', { subscription });
    expect((await visitor.get('/operator/deliveries?state=dead')).html).toContain(
      '>Switch on and replay</button>',
    );
    const delivery = deliveryOf(dead);
    expect(await visitor.submit('switch-on-and-replay', { delivery })).toBe(
      'Subscription switched on. Replaying 1 delivery.',
    );
    await relay.clock.advance(0);
    expect(arrivals).toHaveLength(4);
    expect((await call('GET', `/subscriptions/${subscription}`)).body.state).toBe('active');
  });
});

describe('an event whose subscription is off', () => {
  const every = '>Replay to every subscription</button>';

  it('offers only what can work: both steps in one, and nothing to choose', async () => {
    const { visitor, dead, subscription } = await openLivelyPage();
    const page = `/operator/events/${dead}`;
    expect((await visitor.get(page)).html).toContain(every);
    expect((await visitor.get('/operator/deliveries?state=dead')).html).toContain(
      'Replay chosen deliveries',
    );
    await visitor.submit('switch-off', { subscription });
    const { html } = await visitor.get(page);
    expect(html).not.toContain(every);
    expect(html).toContain(
      'Each of these subscriptions is off. Open a delivery to see how it can be replayed.',
    );
    expect(html).toContain('>Switch on and replay</button>');
    const list = (await visitor.get('/operator/deliveries?state=dead')).html;
    expect(list).not.toContain('Replay chosen deliveries');
    expect(list).toMatch(/aria-label="Choose dlv_\w+" disabled>/);
  });

  it('for good says why, and what to do', async () => {
    const { visitor, relay, call, dead, subscription } = await openLivelyPage();
    const [used] = await relay.tokens.list();
    await relay.tokens.revoke('main', used?.name ?? '');
    const page = `/operator/events/${dead}`;
    const next =
      ', so no replay can reach it. Publish the workflow or turn on the Zap, with a connector key that works. Then open the event, and deliver it to the new subscription.';
    const { html } = await visitor.get(page);
    expect(html).toContain(`Its token was revoked${next}`);
    expect(html).not.toContain('Switch on and replay');
    const { token } = await relay.tokens.create('main', 'n8n', ['manage']);
    expect((await call('DELETE', `/subscriptions/${subscription}`, undefined, token)).status).toBe(
      204,
    );
    const deleted = (await visitor.get(page)).html;
    expect(deleted).toContain(`The subscription was deleted${next}`);
    expect(deleted).not.toContain('Switch on and replay');
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
  it('are chosen and retried, or replayed, together', async () => {
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
    expect(await visitor.submit('retry-deliveries', { delivery })).toBe(
      'Retrying 2 deliveries now.',
    );
    await relay.clock.advance(0);
    expect((await call('GET', `/subscriptions/${body.id}`)).body.off_reason).toBe('gone');
    await relay.clock.advance(0);
    await visitor.submit('switch-on', { subscription: body.id });
    const dead = await choices('/operator/deliveries?state=dead');
    expect(dead).toHaveLength(1);
    expect(await visitor.submit('replay-deliveries', { delivery: dead.join(' ') })).toBe(
      'Replaying 1 delivery.',
    );
    expect(
      await visitor.submit('retry-deliveries', { delivery: (await choices(pending)).join(' ') }),
    ).toBe('The next attempt starts now.');
    await relay.clock.advance(0);
    expect((await call('GET', '/deliveries?state=delivered')).body.data).toHaveLength(3);
    expect(await visitor.submit('retry-deliveries', {})).toBe('Choose deliveries first.');
  });

  it('are all retried for a subscription', async () => {
    const { visitor, relay, subscription, dead, arrivals } = await openLivelyPage();
    expect(await visitor.submit('retry-subscription', { subscription })).toBe(
      'The next attempt starts now.',
    );
    await relay.clock.advance(0);
    expect(arrivals).toHaveLength(4);
    expect(await visitor.submit('retry-subscription', { subscription })).toBe(
      'No pending deliveries.',
    );
    expect(await visitor.submit('retry-deliveries', { delivery: deliveryOf(dead) })).toBe(
      'The delivery is not pending. To deliver it again, replay it.',
    );
  });
});
