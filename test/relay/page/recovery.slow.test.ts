import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { subscribe } from '../support/running-relay.ts';
import { openLivelyPage, openPage, type Visitor } from './support.ts';

const type = 'campaign.paid';

async function textOf(visitor: Visitor, path: string): Promise<string> {
  const { html } = await visitor.get(path);
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

it('an event that no subscription matched says what to do, and goes to a later one with all that it missed', async () => {
  const opened = await openPage();
  const { visitor, relay, call, deliver } = opened;
  for (const id of ['early', 'lost', 'next']) {
    await deliver({ id, type, data: {} });
    await relay.clock.advance(1_000);
  }
  const [, { id: event }] = (await call('GET', '/events')).body.data;
  const page = `/operator/events/${event}`;
  const before = (await visitor.get(page)).html;
  expect(before).toContain('No subscription wanted it when it arrived. Deliver it to one.');
  expect(before).toContain('No subscription is on. Publish the workflow');
  const later = await startReceiver();
  const subscription = await subscribe(opened, later.url);
  const own = `/operator/subscriptions/${subscription}`;
  expect((await visitor.get(own)).html).toMatch(
    /Events of its types arrived before it existed, the latest at <time[^>]*>2027-03-01 09:00:02/,
  );
  const since = '2027-03-01T09:00:01.000Z';
  const asked = await textOf(visitor, `${page}?subscription=${subscription}&missed=true`);
  expect(asked).toContain(
    'It never got 2 since 2027-03-01 09:00:01 . Its workflow runs for each, also for one that another subscription got. Deliver all 2',
  );
  expect(asked).not.toContain('Queued');
  expect(later.arrivals).toEqual([]);
  const missing = (fields: object) =>
    visitor.submit('subscriptions.redeliver', { subscription, missing: 'true', ...fields });
  expect(await missing({ event, since })).toBe('Queued 2 deliveries.');
  await relay.clock.advance(0);
  expect(later.arrivals).toHaveLength(2);
  await relay.clock.advance(2 * 3_600_000);
  expect(await textOf(visitor, `${own}?hours=`)).toContain(
    'It got every event of its types since 2027-03-01 09:00:03 .',
  );
  expect(await textOf(visitor, `${own}?hours=24`)).toContain(
    'It never got 1 since 2027-02-28 11:00:03 . Its workflow runs for each, also for one that another subscription got. Deliver it',
  );
  expect(await missing({})).toBe('Nothing to redeliver.');
  expect(await missing({ since: '2027-03-01T10:00:00.000Z' })).toBe('Nothing to redeliver.');
  expect(await missing({ since: '2027-02-28T11:00:03.000Z' })).toBe('Queued 1 delivery.');
  await relay.clock.advance(0);
  expect((await visitor.get(own)).html).not.toContain('arrived before it existed');
});

it('an attempt shows in the color of its end', async () => {
  const { visitor } = await openLivelyPage();
  const { html } = await visitor.get('/operator/deliveries');
  expect(html).toContain('<span class="badge good">200</span>');
  expect(html).toContain('<span class="badge bad">500</span>');
});

it('a subscription that was off gets what it missed in steps that the page shows', async () => {
  const { visitor, relay, call, deliver, subscription, arrivals } = await openLivelyPage();
  await visitor.submit('subscriptions.change', { subscription, state: 'off' });
  await deliver({ id: 'meanwhile', type, data: {} });
  await relay.clock.advance(1_000);
  const { html } = await visitor.get(`/operator/subscriptions/${subscription}`);
  expect(html).toContain('<button class="primary">Switch on</button>');
  expect(html).toMatch(/Deliver again.*>Retry<.*>Redeliver<.*>Count<\/button>/s);
  for (const [action, fields] of [
    ['subscriptions.retry', {}],
    ['subscriptions.redeliver', { states: 'dead' }],
    ['subscriptions.redeliver', { missing: 'true' }],
  ] as const) {
    expect(await visitor.submit(action, { subscription, ...fields })).toBe('Queued 1 delivery.');
  }
  expect(await visitor.submit('subscriptions.change', { subscription, state: 'active' })).toBe(
    'Subscription switched on. It continues where it stopped.',
  );
  await relay.clock.advance(0);
  expect(arrivals).toHaveLength(6);
  expect((await call('GET', '/deliveries?state=delivered')).body.data).toHaveLength(4);
});

describe('an event whose subscription is off', () => {
  const every =
    'To the 1 subscription that had it and is on. It gets a new webhook-id, so each workflow runs for it again.';

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
    const opened = await openLivelyPage();
    const { visitor, relay, call, tokenName, dead, subscription } = opened;
    expect(await textOf(visitor, '/operator/tokens')).toContain(
      'Revokes the token immediately, and switches off its one active subscription.',
    );
    const another = await subscribe(opened, 'http://127.0.0.1:9/another');
    expect(await textOf(visitor, '/operator/tokens')).toContain(
      'and switches off its 2 active subscriptions.',
    );
    // One that is off already is not counted.
    await visitor.submit('subscriptions.change', { subscription: another, state: 'off' });
    expect(await textOf(visitor, '/operator/tokens')).toContain(
      'and switches off its one active subscription.',
    );
    await visitor.submit('subscriptions.change', { subscription, state: 'off' });
    expect(await textOf(visitor, '/operator/tokens')).toContain(
      'and switches off no subscription, as none is active.',
    );
    await visitor.submit('subscriptions.change', { subscription, state: 'active' });
    await relay.tokens.revoke('main', tokenName);
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

it('the choice of a subscription for an event marks those that do not subscribe to its type', async () => {
  const opened = await openLivelyPage();
  const events = ['coupon.redeemed'];
  for (const [nth, name] of ['n8n', 'n8n, test'].entries()) {
    const own = { name: `Coupons (${name} 0123456789abcdef)`, events };
    await subscribe(opened, `http://127.0.0.1:9/${nth}`, own);
  }
  const { html } = await opened.visitor.get(`/operator/events/${opened.delivered}`);
  const options = [...html.matchAll(/<option value="sub_\w+">([^<]*)<\/option>/g)];
  expect(options.map(([, label]) => label)).toEqual([
    'Zap',
    'Coupons (n8n, test) (not subscribed)',
    'Coupons (n8n) (not subscribed)',
  ]);
});

it('several deliveries are chosen and retried, or redelivered, together', async () => {
  const opened = await openPage();
  const { visitor, relay, call, deliver } = opened;
  const receiver = await startReceiver([500, 500, 500, 410]);
  const subscription = await subscribe(opened, receiver.url);
  for (const id of ['1', '2', '3']) {
    await deliver({ id, type, data: {} });
    await relay.clock.advance(0);
  }
  const choices = async (state: string) => {
    const { html } = await visitor.get(`/operator/deliveries?state=${state}`);
    return [...html.matchAll(/name="delivery" value="([^"]*)" aria/g)].map(([, id]) => id ?? '');
  };
  const [first, ...others] = await choices('pending');
  const delivery = others.join(' ');
  expect([first, others.length]).toEqual([expect.any(String), 2]);
  expect(await visitor.submit('subscriptions.retry', { delivery })).toBe('Queued 2 deliveries.');
  await relay.clock.advance(0);
  expect((await call('GET', `/subscriptions/${subscription}`)).body.off_reason).toBe('gone');
  await relay.clock.advance(0);
  await visitor.submit('subscriptions.change', { subscription, state: 'active' });
  const [dead = '', ...more] = await choices('dead');
  expect(more).toEqual([]);
  expect(await visitor.submit('subscriptions.redeliver', { delivery: dead })).toBe(
    'Queued 1 delivery.',
  );
  expect(await visitor.submit('subscriptions.retry', { subscription })).toBe('Queued 1 delivery.');
  await relay.clock.advance(0);
  expect((await call('GET', '/deliveries?state=delivered')).body.data).toHaveLength(3);
  expect(await visitor.submit('subscriptions.retry', { delivery: dead })).toBe(
    'No pending deliveries.',
  );
});
