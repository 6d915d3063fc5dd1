import { expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { createRelay } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { freshDatabase } from '../support/database.ts';
import { secretKey, start } from '../support/running-relay.ts';

const type = 'campaign.paid';

it("the operator's address gets the problems of every source, signed", async () => {
  const { url: problemUrl, arrivals } = await startReceiver();
  const { relay, call } = await start({ problemUrl });
  const { body } = await call('PUT', '/subscriptions', {
    target_url: 'http://127.0.0.1:9/',
    events: [type],
  });
  await relay.subscriptions.off(body.id);
  await relay.clock.advance(0);
  const { signingSecret } = await relay.tokens.rotate('main', 'relay problems');
  await relay.subscriptions.on(body.id);
  await relay.clock.advance(3_600_000);
  await relay.subscriptions.off(body.id);
  await relay.clock.advance(0);
  expect(arrivals).toHaveLength(2);
  const [first, second] = arrivals;
  expect(JSON.parse(first?.body ?? '').text).toContain('switched off by an operator');
  const verified = verifyWebhook({
    body: second?.body ?? '',
    signature: second?.headers['x-service-signature'],
    secrets: [signingSecret],
    now: () => relay.clock.now(),
  });
  expect(verified.type).toBe('relay.subscription_off');
});

it('another address replaces it, and none ends it, at the next start', async () => {
  const databaseUrl = await freshDatabase();
  const targets = async (problemUrl: string | undefined) => {
    const { relay } = await start({ databaseUrl, ...(problemUrl && { problemUrl }) });
    const { data } = await relay.subscriptions.list({ source: 'main' });
    await relay.close();
    return data.map(({ target_url, state }) => [target_url, state]);
  };
  const [one, two] = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two'];
  expect(await targets(one)).toEqual([[one, 'active']]);
  expect(await targets(one)).toEqual([[one, 'active']]);
  expect(await targets(two)).toEqual([[two, 'active']]);
  expect(await targets(undefined)).toEqual([]);
});

it('one that the operator switched off stays off', async () => {
  const databaseUrl = await freshDatabase();
  const problemUrl = 'http://127.0.0.1:9/';
  const first = await start({ databaseUrl, problemUrl });
  const [{ id } = { id: '' }] = (await first.relay.subscriptions.list({ source: 'main' })).data;
  await first.relay.subscriptions.off(id);
  const { relay } = await start({ databaseUrl, problemUrl });
  const { data } = await relay.subscriptions.list({ source: 'main' });
  expect(data).toMatchObject([{ id, state: 'off', off_reason: 'by_hand' }]);
});

it('an address that no delivery may go to stops the start', async () => {
  const databaseUrl = await freshDatabase();
  const relay = createRelay({ databaseUrl, secretKey, problemUrl: 'http://chat.example.com/1' });
  await expect(relay).rejects.toThrow(
    /^RELAY_PROBLEM_URL: use https; http works only for targets in RELAY_ALLOW_TARGETS, and chat\.example\.com is not one of them\.$/,
  );
});
