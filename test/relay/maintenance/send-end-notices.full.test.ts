import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, start, startAt } from '../support/running-relay.ts';

const type = 'campaign.paid';
const day = 24 * 3_600_000;

async function subscribed(running: Running, url: string, token?: string): Promise<string> {
  const { body } = await running.call(
    'PUT',
    '/subscriptions',
    { target_url: url, events: [type] },
    token,
  );
  return body.id;
}

/** A delivery has a body, a DELETE has none. */
const endNotices = ({ arrivals }: Awaited<ReturnType<typeof startReceiver>>) =>
  arrivals.filter(({ body }) => body === '').length;

const owed = (running: Running) =>
  onDatabase(running.databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT attempts, next_at FROM end_notice');
    return rows;
  });

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
    const id = await subscribed(running, receiver.url);
    await failForFiveDays(running);
    expect((await running.call('GET', `/subscriptions/${id}`)).body).toMatchObject({
      state: 'off',
      off_reason: 'failing',
    });
    await running.relay.clock.advance(5 * day);
    expect(endNotices(receiver)).toBe(11);
    expect(await owed(running)).toEqual([]);
  });

  it('stays if it is subscribed again during what would be its last attempt', async () => {
    const receiver = await startReceiver(['hang']);
    const running = await start({ deliveryTimeoutMs: 400 });
    const id = await subscribed(running, receiver.url);
    await onDatabase(running.databaseUrl, (client) =>
      client.query('UPDATE subscription SET failing_since = $1', ['2027-02-01']),
    );
    await running.deliver({ id: '1', type });
    await eventually(() => receiver.arrivals.length === 1);
    expect(await subscribed(running, receiver.url)).toBe(id);
    await running.relay.clock.advance(5_000);
    expect((await running.call('GET', `/subscriptions/${id}`)).body.state).toBe('active');
    expect(receiver.arrivals.map(({ headers }) => headers['x-relay-attempt'])).toEqual(['1', '2']);
  });

  it.each([200, 404, 405, 410])('gets no second DELETE after %s', async (status) => {
    const receiver = await startReceiver([status, 500, 500]);
    const running = await start();
    const { token } = await running.relay.tokens.create('main', 'revoked soon');
    await subscribed(running, receiver.url, token);
    await running.relay.tokens.revoke('main', 'revoked soon');
    await running.relay.clock.advance(5 * day);
    expect(endNotices(receiver)).toBe(1);
    expect(await owed(running)).toEqual([]);
  });

  it('gets the DELETE from the next process, for anything the last process left', async () => {
    const receiver = await startReceiver([503]);
    receiver.answerHeaders['retry-after'] = '3600';
    const first = await start();
    const { token } = await first.relay.tokens.create('main', 'revoked soon');
    await subscribed(first, receiver.url, token);
    await first.relay.tokens.revoke('main', 'revoked soon');
    await first.relay.clock.advance(0);
    expect(endNotices(receiver)).toBe(1);
    await first.relay.close();
    const hour = Date.parse(startAt) + 3_600_000;
    expect(await owed(first)).toEqual([{ attempts: 1, next_at: new Date(hour) }]);
    const second = await start({ databaseUrl: first.databaseUrl, startAt: hour - 1 });
    await second.relay.clock.advance(0);
    expect(endNotices(receiver)).toBe(1);
    await second.relay.clock.advance(1);
    expect(endNotices(receiver)).toBe(2);
    expect(await owed(second)).toEqual([]);
  });

  it('is left alone if it subscribes again, unsubscribes, says 410, or is switched off by hand', async () => {
    const again = await startReceiver([500]);
    const gone = await startReceiver([410]);
    const running = await start({ role: 'ingress' });
    const sender = { role: 'sender', databaseUrl: running.databaseUrl } as const;
    const failing = await subscribed(running, again.url);
    const other = await subscribed(running, `${again.url}/other`);
    await onDatabase(running.databaseUrl, (client) =>
      client.query(`UPDATE subscription SET state = 'off', off_reason = 'failing'`),
    );
    await onDatabase(running.databaseUrl, (client) =>
      client.query('INSERT INTO end_notice SELECT number, 0, now() FROM subscription'),
    );
    expect(await subscribed(running, again.url)).toBe(failing);
    await running.call('DELETE', `/subscriptions/${other}`);
    expect(await owed(running)).toEqual([]);
    await running.relay.subscriptions.off(await subscribed(running, `${again.url}/by-hand`));
    await subscribed(running, gone.url);
    await running.deliver({ id: '1', type });
    const { relay } = await start(sender);
    await relay.clock.advance(3_600_000);
    expect(endNotices(again) + endNotices(gone)).toBe(0);
    expect(gone.arrivals).toHaveLength(1);
  });

  it('gets no DELETE if deliveries to it are forbidden, and no redirect is followed', async () => {
    const receiver = await startReceiver();
    const redirecting = await startReceiver([302]);
    redirecting.answerHeaders.location = receiver.url;
    const running = await start({ role: 'ingress' });
    const { token } = await running.relay.tokens.create('main', 'revoked soon');
    await subscribed(running, receiver.url, token);
    await running.relay.tokens.revoke('main', 'revoked soon');
    const strict = await start({ databaseUrl: running.databaseUrl, allowTargets: [] });
    await strict.relay.clock.advance(0);
    expect(await owed(running)).toEqual([]);
    const { token: other } = await running.relay.tokens.create('main', 'redirecting');
    await subscribed(running, redirecting.url, other);
    await running.relay.tokens.revoke('main', 'redirecting');
    const { relay } = await start({ databaseUrl: running.databaseUrl });
    await relay.clock.advance(5_000);
    expect(endNotices(redirecting)).toBe(2);
    expect(receiver.arrivals).toHaveLength(0);
  });
});

describe('a DELETE', () => {
  it('gets no secret, no signature and no body', async () => {
    const seen: { method: string | undefined; headers: object }[] = [];
    const server = createServer((request, response) => {
      seen.push({ method: request.method, headers: request.headers });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const running = await start();
      const { token } = await running.relay.tokens.create('main', 'revoked soon');
      const { port } = server.address() as AddressInfo;
      await subscribed(running, `http://127.0.0.1:${port}/hooks/1`, token);
      await running.relay.tokens.revoke('main', 'revoked soon');
      await running.relay.clock.advance(0);
      expect(seen).toEqual([
        {
          method: 'DELETE',
          headers: {
            host: `127.0.0.1:${port}`,
            connection: 'keep-alive',
            'user-agent': 'screen-advertising-relay',
          },
        },
      ]);
    } finally {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    }
  });
});
