import { expect, it } from '@jest/globals';
import { relayProblem } from '@screen-advertising/core/webhooks';
import { happen, startRelayed } from '../app/relayed.ts';
import { turnOnHookZap } from '../app/zapier-hooks.ts';

const key = 'relay_problem_through_relay';

it('a problem of the relay starts a Zap that chose it, in the shape of its list', async () => {
  const relayed = await startRelayed();
  const { zapier, relay, call } = relayed;
  const zap = await turnOnHookZap(zapier, key);
  const [{ events, name }] = (await call('GET', '/subscriptions')).body.data;
  expect([events, name]).toEqual([relayProblem.types.toSorted(), 'Zapier: Relay Problem']);
  const target = { target_url: 'http://127.0.0.1:9/', events: ['campaign.paid'], name: 'CRM' };
  const { body } = await call('PUT', '/subscriptions', target);
  await happen(relayed, { type: 'campaign.paid', data: {} });
  await relay.clock.advance(6 * 60_000);
  await relay.clock.advance(60_000);
  await relay.subscriptions.off(body.id);
  await relay.clock.advance(1_000);
  const outcomes = (await zap.outcomes()) as { type: string; data: object }[][];
  expect(outcomes.map(([record]) => record?.type)).toEqual([
    'relay.subscription_failing',
    'relay.subscription_off',
  ]);
  const promised = Object.keys(relayProblem.sample);
  for (const [record] of outcomes) {
    expect(Object.keys(record?.data ?? {})).toEqual(expect.arrayContaining(promised));
  }
  const listed = await zapier.run(`triggers.${key}.operation.performList`);
  expect(listed).toEqual(outcomes.flat().reverse());
});
