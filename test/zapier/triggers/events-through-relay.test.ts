import { beforeAll, describe, expect, it } from '@jest/globals';
import { events } from '@screen-advertising/core';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import { ownSource, type Running, start } from '../../relay/support/running-relay.ts';
import { happen, type Relayed, startRelayed, turnOnHookZap } from '../app/hook-zap.ts';

const hour = 3_600_000;
const key = 'coupon_redeemed';
const list = `triggers.${key}.operation.performList`;
const redeemed = (code: string) => ({ type: 'coupon.redeemed', data: { code } });

let shared: Running;
beforeAll(async () => {
  shared = await start();
});

const begin = async () => startRelayed({}, await ownSource(shared));

async function subscriptionsOf({ call }: Relayed) {
  const { body } = await call('GET', '/subscriptions');
  return body.data;
}

it('the trigger of an event subscribes, gets deliveries in the shape of its list, and unsubscribes', async () => {
  const { name, title, sample } = events['campaign.paid'];
  const relayed = await begin();
  const zap = await turnOnHookZap(relayed.zapier, 'campaign_paid');
  expect(await subscriptionsOf(relayed)).toMatchObject([
    { target_url: zap.targetUrl, events: [name], name: `Zapier: ${title}`, state: 'active' },
  ]);
  await happen(relayed, { type: name, data: sample });
  await happen(relayed, { type: 'screen.sold', data: sample });
  const { body } = await relayed.call('GET', `/events?type=${name}`);
  const record = { id: body.data[0].id, type: name, data: withCurrencyAmounts(sample) };
  expect(await zap.outcomes()).toEqual([[record]]);
  expect(await relayed.zapier.run('triggers.campaign_paid.operation.performList')).toEqual([
    record,
  ]);
  await zap.turnOff();
  expect(await subscriptionsOf(relayed)).toEqual([]);
  await happen(relayed, { id: 'later', type: name, data: sample });
  expect(await zap.outcomes()).toHaveLength(1);
});

it('a copied Zap has its own subscription, and neither takes the events of the other', async () => {
  const relayed = await begin();
  const original = await turnOnHookZap(relayed.zapier, key);
  const copy = await turnOnHookZap(relayed.zapier, key);
  await happen(relayed, redeemed('A'));
  for (const zap of [original, copy]) {
    expect(await zap.outcomes()).toMatchObject([[{ data: { code: 'A' } }]]);
  }
  await copy.turnOff();
  expect(await subscriptionsOf(relayed)).toMatchObject([{ target_url: original.targetUrl }]);
  await happen(relayed, redeemed('B'));
  expect(await original.outcomes()).toHaveLength(2);
});

it('the list of recent events holds the three newest of its kind, newest first', async () => {
  const relayed = await begin();
  // Then Zapier shows its sample.
  expect(await relayed.zapier.run(list)).toEqual([]);
  for (const code of ['A', 'B', 'C', 'D']) {
    await happen(relayed, redeemed(code));
    await relayed.relay.clock.advance(1000);
  }
  await happen(relayed, { type: 'campaign.paid', data: {} });
  const listed = await relayed.zapier.run(list);
  expect(listed).toMatchObject(['D', 'C', 'B'].map(redeemed));
  // Zapier's command line runs the trigger itself, without a delivery.
  expect(await relayed.zapier.poll(key)).toEqual(listed);
});

describe('a delivery', () => {
  it('is checked and read in the bytes of the service, as the list reads them', async () => {
    const relayed = await begin();
    const zap = await turnOnHookZap(relayed.zapier, key);
    await happen(
      relayed,
      ' {"data":{"code":"Ä\\u00e4","big":12345678901234567890},"type":"coupon.redeemed"}\n',
    );
    const listed = await relayed.zapier.run(list);
    expect(await zap.outcomes()).toEqual([listed]);
    expect(listed).toMatchObject([{ data: { code: 'Ää', big: '12345678901234567890' } }]);
  });

  it('that is made twice has the same ID, and another event with the same body another', async () => {
    const relayed = await begin();
    const zap = await turnOnHookZap(relayed.zapier, key);
    await happen(relayed, redeemed('A'));
    const [{ id }] = await subscriptionsOf(relayed);
    await relayed.call('POST', `/subscriptions/${id}/redeliver`, { states: ['delivered'] });
    await relayed.relay.clock.advance(hour);
    await happen(relayed, redeemed('A'));
    const ids = (await zap.outcomes()).map((records) => (records as { id: string }[])[0]?.id);
    expect(ids).toHaveLength(3);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
    expect(ids[0]).toMatch(/^evt_/);
  });

  it('of a test starts a run with a stored event, and none with a sample', async () => {
    const relayed = await begin();
    const zap = await turnOnHookZap(relayed.zapier, key);
    const [{ id }] = await subscriptionsOf(relayed);
    const sendTest = () => relayed.call('POST', `/subscriptions/${id}/test`);
    expect((await sendTest()).body).toMatchObject({ delivered: true, is_sample: true });
    expect(await zap.outcomes()).toEqual([[]]);
    await happen(relayed, redeemed('A'));
    expect((await sendTest()).body).toMatchObject({ delivered: true, is_sample: false });
    expect(await zap.outcomes()).toMatchObject([[], [redeemed('A')], [redeemed('A')]]);
  });

  it('of another kind starts nothing', async () => {
    const relayed = await begin();
    const zap = await turnOnHookZap(relayed.zapier, key);
    const body = { target_url: zap.targetUrl, events: ['campaign.paid'] };
    await relayed.call('PUT', '/subscriptions', body);
    await happen(relayed, { type: 'campaign.paid', data: {} });
    expect(await zap.outcomes()).toEqual([[]]);
  });
});

describe('a subscription', () => {
  it('is one, however often Zapier subscribes, and unsubscribing from what is gone succeeds', async () => {
    const relayed = await begin();
    const zap = await turnOnHookZap(relayed.zapier, key);
    const [first] = await subscriptionsOf(relayed);
    await zap.turnOn();
    const id = first?.id.replace(/1$/, '2');
    expect(await subscriptionsOf(relayed)).toEqual([{ ...first, id }]);
    await zap.turnOff();
    await zap.turnOff();
    expect(await subscriptionsOf(relayed)).toEqual([]);
    const unknown = { subscribeData: { id: 'sub_019500000000700080000000000000ff_1' } };
    for (const bundle of [unknown, {}]) {
      const result = relayed.zapier.run(`triggers.${key}.operation.performUnsubscribe`, bundle);
      expect(await result).toEqual({});
    }
  });

  it.each([
    ['without a relay', { relay_base_url: '', connector_key: '' }],
    ['with another key', {}],
  ])('of a Zap that is turned off %s is switched off by the 410 of Zapier', async (_how, form) => {
    const relayed = await begin();
    const zap = await turnOnHookZap(relayed.zapier, key);
    const { connectorKey } = await relayed.relay.tokens.create(relayed.source, 'next');
    relayed.zapier.edit({ connector_key: connectorKey, ...form });
    await zap.turnOff();
    expect(await subscriptionsOf(relayed)).toMatchObject([{ state: 'active' }]);
    await happen(relayed, redeemed('A'));
    expect(await subscriptionsOf(relayed)).toMatchObject([{ state: 'off', off_reason: 'gone' }]);
    expect(await zap.outcomes()).toEqual([]);
  });

  it('that ends at the relay pauses the Zap, which subscribes again when it is turned on', async () => {
    const relayed = await begin();
    const { relay, zapier, source } = relayed;
    const zap = await turnOnHookZap(zapier, key);
    const token = (await relay.tokens.list()).find((one) => one.source === source);
    await relay.tokens.revoke(source, token?.name ?? '');
    await relay.clock.advance(0);
    expect(zap.state).toBe('paused');
    const { connectorKey } = await relay.tokens.create(source, 'another');
    zapier.edit({ connector_key: connectorKey });
    await zap.turnOn();
    const { data } = await relay.operate('subscriptions.list', { source });
    expect(data.map(({ state }) => state).toSorted()).toEqual(['active', 'off']);
    await happen(relayed, redeemed('A'));
    expect(await zap.outcomes()).toMatchObject([[redeemed('A')]]);
  });
});

it('a problem of the relay starts a Zap that chose it, in the shape of its list', async () => {
  const ofProblem = 'relay_problem';
  const relayed = await begin();
  const { zapier, relay, call } = relayed;
  const zap = await turnOnHookZap(zapier, ofProblem);
  const [{ events, name }] = (await call('GET', '/subscriptions')).body.data;
  expect([events, name]).toEqual([
    ['relay.delivery_dead', 'relay.subscription_failing', 'relay.subscription_off'],
    'Zapier: Relay Problem',
  ]);
  const target = { target_url: 'http://127.0.0.1:9/', events: ['campaign.paid'], name: 'CRM' };
  const { body } = await call('PUT', '/subscriptions', target);
  await happen(relayed, { type: 'campaign.paid', data: {} });
  await relay.clock.advance(6 * 60_000);
  await relay.clock.advance(60_000);
  await relay.operate('subscriptions.change', {
    id: body.id,
    state: 'off',
    source: relayed.source,
  });
  await relay.clock.advance(1_000);
  const outcomes = (await zap.outcomes()) as { type: string; data: object }[][];
  expect(outcomes.map(([record]) => record?.type)).toEqual([
    'relay.subscription_failing',
    'relay.subscription_off',
  ]);
  const promised = [
    ...['message', 'problem', 'subscription_id', 'subscription_name', 'target_host', 'reason'],
    'since',
  ];
  for (const [record] of outcomes) {
    expect(Object.keys(record?.data ?? {})).toEqual(expect.arrayContaining(promised));
  }
  const listed = await zapier.run(`triggers.${ofProblem}.operation.performList`);
  expect(listed).toEqual(outcomes.flat().reverse());
});
