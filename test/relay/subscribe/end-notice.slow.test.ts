import { describe, expect, it } from '@jest/globals';
import { verifySignature } from '@screen-advertising/core';
import { type Receiver, startReceiver } from '../../sandbox/support/receiver.ts';
import { type Running, start, subscribe } from '../support/running-relay.ts';

const type = 'campaign.paid';
const day = 24 * 3_600_000;

/** A delivery has a body, a DELETE has none. */
const endNotices = ({ arrivals }: Receiver) => arrivals.filter(({ body }) => body === '');

function expectNotice(receiver: Receiver, secret: string): void {
  const [notice, ...others] = endNotices(receiver);
  expect(others).toEqual([]);
  const signature = notice?.headers['x-service-signature'];
  // Throws if the secret did not sign it. The relay's clock is not that of the machine.
  verifySignature({ body: '', signature, secrets: [secret], toleranceSeconds: 9e9 });
}

async function subscribeOnce(running: Running, receiver: Receiver, name = 'ends soon') {
  const key = await running.relay.tokens.create('main', name);
  await subscribe(running, receiver.url, { token: key.token });
  return key;
}

describe('the target of a subscription', () => {
  it.each([200, 404, 500])(
    'gets one signed DELETE once its token is revoked, also after %s',
    async (status) => {
      const receiver = await startReceiver([status]);
      const running = await start();
      const { signingSecret } = await subscribeOnce(running, receiver);
      await running.relay.tokens.revoke('main', 'ends soon');
      await running.relay.clock.advance(5 * day);
      expectNotice(receiver, signingSecret);
    },
  );

  it('gets it with the secret that it knows once a rotated key has expired', async () => {
    const receiver = await startReceiver();
    const running = await start();
    const { signingSecret } = await subscribeOnce(running, receiver);
    await running.relay.tokens.rotate('main', 'ends soon');
    for (const ms of [day, 0]) await running.relay.clock.advance(ms);
    expectNotice(receiver, signingSecret);
  });

  it('gets it before a command ends that revokes its token', async () => {
    const receiver = await startReceiver();
    const running = await start();
    await subscribeOnce(running, receiver);
    const { relay } = await start({ databaseUrl: running.databaseUrl });
    await relay.tokens.revoke('main', 'ends soon');
    await relay.close();
    expect(endNotices(receiver)).toHaveLength(1);
  });

  it('is left alone if it unsubscribes, fails, says 410, or is switched off by hand', async () => {
    const receiver = await startReceiver();
    const gone = await startReceiver([410]);
    const failing = await startReceiver(Array(400).fill(500));
    const running = await start();
    const id = await subscribe(running, receiver.url);
    await running.call('DELETE', `/subscriptions/${id}`);
    await running.relay.operate('subscriptions.change', {
      id: await subscribe(running, `${receiver.url}/by-hand`),
      state: 'off',
    });
    await subscribe(running, gone.url);
    const failed = await subscribe(running, failing.url);
    for (let nth = 0; nth < 11; nth += 1) {
      await running.deliver({ id: String(nth), type });
      await running.relay.clock.advance(day);
    }
    expect((await running.call('GET', `/subscriptions/${failed}`)).body.off_reason).toBe('failing');
    expect(receiver.arrivals).toEqual([]);
    expect([...endNotices(gone), ...endNotices(failing)]).toEqual([]);
  });

  it('gets none if deliveries to it are forbidden, and no redirect is followed', async () => {
    const receiver = await startReceiver();
    const redirecting = await startReceiver([302]);
    redirecting.answerHeaders.location = receiver.url;
    const running = await start();
    await subscribeOnce(running, receiver, 'forbidden');
    await subscribeOnce(running, redirecting, 'redirecting');
    await running.relay.tokens.revoke('main', 'redirecting');
    await running.relay.clock.advance(0);
    expect(endNotices(redirecting)).toHaveLength(1);
    const strict = await start({ databaseUrl: running.databaseUrl, allowTargets: [] });
    await strict.relay.tokens.revoke('main', 'forbidden');
    await strict.relay.clock.advance(0);
    expect(receiver.arrivals).toEqual([]);
  });

  it('that does not respond delays no other', async () => {
    const silent = await startReceiver(Array(100).fill('hang'));
    const receiver = await startReceiver();
    // A busy machine needs a while for a hundred requests at once.
    const running = await start({ deliveryTimeoutMs: 2_000 });
    const { token } = await subscribeOnce(running, receiver);
    for (let nth = 0; nth < 99; nth += 1)
      await subscribe(running, `${silent.url}/${nth}`, { token });
    await running.relay.tokens.revoke('main', 'ends soon');
    await running.relay.clock.advance(0);
    expect(endNotices(receiver)).toHaveLength(1);
  });
});
