import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { firstRetryMs, schedule } from '../sender/scene.ts';
import { startActor } from '../support/actor.ts';
import { type Running, start, startAt } from '../support/running-relay.ts';
import { subscribe } from '../support/subscribe.ts';

const type = 'campaign.paid';
const day = 24 * 3_600_000;

/** A delivery has a body, a DELETE has none. */
const endNotices = ({ arrivals }: Awaited<ReturnType<typeof startReceiver>>) =>
  arrivals.filter(({ body }) => body === '').length;

async function failForFiveDays(running: Running): Promise<void> {
  for (let count = 0; count <= 5; count += 1) {
    await running.deliver({ id: `failing ${count}`, type });
    await running.relay.clock.advance(day);
  }
}

describe('the target of a subscription', () => {
  it('that failed for five days gets a DELETE, which is retried like a delivery', async () => {
    const receiver = await startReceiver(Array(400).fill(500));
    const running = await start();
    const id = await subscribe(running, receiver.url);
    await failForFiveDays(running);
    expect((await running.call('GET', `/subscriptions/${id}`)).body).toMatchObject({
      state: 'off',
      off_reason: 'failing',
    });
    await running.relay.clock.advance(5 * day);
    expect(endNotices(receiver)).toBe(schedule.length);
  });

  it.each([200, 404, 405, 410])('gets no second DELETE after %s', async (status) => {
    const receiver = await startReceiver([status, 500, 500]);
    const running = await start();
    const { token } = await running.relay.tokens.create('main', 'revoked soon');
    await subscribe(running, receiver.url, { token });
    await running.relay.tokens.revoke('main', 'revoked soon');
    await running.relay.clock.advance(5 * day);
    expect(endNotices(receiver)).toBe(1);
  });

  it('gets the DELETE from the next process, for anything the last process left', async () => {
    const receiver = await startReceiver([503]);
    receiver.answerHeaders['retry-after'] = '3600';
    const first = await start();
    const { token } = await first.relay.tokens.create('main', 'revoked soon');
    await subscribe(first, receiver.url, { token });
    await first.relay.tokens.revoke('main', 'revoked soon');
    await first.relay.clock.advance(0);
    expect(endNotices(receiver)).toBe(1);
    await first.relay.close();
    const hour = Date.parse(startAt) + 3_600_000;
    const second = await start({ databaseUrl: first.databaseUrl, startAt: hour - 1 });
    await second.relay.clock.advance(0);
    expect(endNotices(receiver)).toBe(1);
    await second.relay.clock.advance(1);
    expect(endNotices(receiver)).toBe(2);
  });

  it('is left alone if it unsubscribes, says 410, or is switched off by hand', async () => {
    const receiver = await startReceiver();
    const gone = await startReceiver([410]);
    const running = await start();
    const id = await subscribe(running, receiver.url);
    await running.call('DELETE', `/subscriptions/${id}`);
    await running.relay.subscriptions.off(await subscribe(running, `${receiver.url}/by-hand`));
    await subscribe(running, gone.url);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(3_600_000);
    expect(receiver.arrivals).toEqual([]);
    expect(gone.arrivals).toHaveLength(1);
  });

  it('gets no further DELETE once it subscribed again', async () => {
    const receiver = await startReceiver(Array(400).fill(500));
    const running = await start();
    await subscribe(running, receiver.url);
    await failForFiveDays(running);
    const before = endNotices(receiver);
    expect(before).toBeGreaterThan(0);
    await subscribe(running, receiver.url);
    await running.relay.clock.advance(day);
    expect(endNotices(receiver)).toBe(before);
  });

  it('gets no DELETE if deliveries to it are forbidden, and no redirect is followed', async () => {
    const receiver = await startReceiver();
    const redirecting = await startReceiver([302]);
    redirecting.answerHeaders.location = receiver.url;
    const running = await start({ role: 'ingress' });
    const { token } = await running.relay.tokens.create('main', 'revoked soon');
    await subscribe(running, receiver.url, { token });
    await running.relay.tokens.revoke('main', 'revoked soon');
    const strict = await start({ databaseUrl: running.databaseUrl, allowTargets: [] });
    await strict.relay.clock.advance(0);
    const { token: other } = await running.relay.tokens.create('main', 'redirecting');
    await subscribe(running, redirecting.url, { token: other });
    await running.relay.tokens.revoke('main', 'redirecting');
    const { relay } = await start({ databaseUrl: running.databaseUrl });
    await relay.clock.advance(firstRetryMs);
    expect(endNotices(redirecting)).toBe(2);
    expect(receiver.arrivals).toHaveLength(0);
  });
});

describe('a DELETE', () => {
  it('gets no secret, no signature and no body', async () => {
    const { url, port, requests } = await startActor();
    const running = await start();
    const { token } = await running.relay.tokens.create('main', 'revoked soon');
    await subscribe(running, url, { token });
    await running.relay.tokens.revoke('main', 'revoked soon');
    await running.relay.clock.advance(0);
    const [first, ...headers] = requests.join('').trim().split('\r\n');
    expect([first, ...headers.sort()]).toEqual([
      'DELETE /hook HTTP/1.1',
      'connection: keep-alive',
      `host: 127.0.0.1:${port}`,
      'user-agent: screen-advertising-relay',
    ]);
  });
});
