import { describe, expect, it } from '@jest/globals';
import { apiKey, clientCredentials, createClient } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, sourceSecret, start } from '../support/running-relay.ts';

const target = 'https://hooks.example.com/1';
const type = 'campaign.paid';
const other = 'user.registered';

async function deliverMany(running: Running, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await running.relay.clock.advance(1_000);
    await running.deliver({
      id: String(number),
      type: number % 2 ? type : 'user.registered',
      data: { number },
    });
  }
}

/** The `data.number` of each event, page by page. */
async function pages(running: Running, query: string): Promise<number[][]> {
  const found: number[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await running.call(
      'GET',
      `/events?limit=2${query}${cursor && `&cursor=${cursor}`}`,
    );
    found.push(body.data.map(({ data }: { data: { number: number } }) => data.number));
    expect(body.pagination.has_more).toBe(body.pagination.cursor !== null);
    cursor = body.pagination.cursor;
  }
  return found;
}

describe('the API', () => {
  it('identifies a token, and rejects any other', async () => {
    const running = await start();
    expect((await running.call('GET', '/me')).body).toMatchObject({
      source: 'main',
      rights: expect.any(Array),
    });
    const unknown = await running.call('GET', '/me', undefined, 'rly_unknown');
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
    expect(unknown.body.detail).toBe(
      'This token is unknown or revoked. Ask the operator of the relay for a connector key.',
    );
  });

  it('says that it is a relay when its address is taken for the base URL of the service', async () => {
    const { url } = await start();
    const baseUrl = `${url}/api/v1`;
    for (const auth of [
      apiKey('svc_0123456789abcdef'),
      clientCredentials({ clientId: 'partner', clientSecret: 'secret-of-a-partner' }),
    ]) {
      const { screens } = createClient({ baseUrl, auth, transport: undiciTransport() });
      const error = await screens.list().catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        status: 404,
        problem: {
          detail:
            'This is a relay, not the service. Enter the base URL of the service here, and this address in the fields of the relay.',
        },
      });
    }
  });

  it('keeps one subscription per token, target and events, even for concurrent requests', async () => {
    const { call } = await start();
    const put = (events: string[]) =>
      call('PUT', '/subscriptions', { target_url: target, events, name: 'Zap' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => put(index % 2 ? [other, type] : [type, other, type])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers[0]?.body).toEqual({
      id: expect.stringMatching(/^sub_[0-9a-f]{32}$/),
      target_url: target,
      events: [type, other],
      name: 'Zap',
      state: 'active',
      off_reason: null,
      created_at: '2027-03-01T09:00:00.000Z',
    });
    const { id } = answers[0]?.body ?? {};
    expect((await call('DELETE', `/subscriptions/${id}`)).status).toBe(204);
    expect((await call('DELETE', `/subscriptions/${id}`)).status).toBe(204);
    expect((await call('GET', `/subscriptions/${id}`)).status).toBe(404);
    expect((await put([type, other])).status).toBe(201);
  });

  it.each([
    [{ target_url: 'http://10.0.0.1/', events: [type] }, /^target_url: use https;/],
    [{ target_url: target, events: [] }, /^events: /],
    [{ events: [type] }, /^target_url: /],
    [{ target_url: target, events: [type], more: 1 }, /more/],
    ['{', /^The body is not valid JSON\.$/],
  ])('refuses to subscribe with %j', async (body, detail) => {
    const answer = await (await start()).call('PUT', '/subscriptions', body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(detail);
  });

  it('lists events newest first, by page, type and time', async () => {
    const running = await start();
    await deliverMany(running, 5);
    expect(await pages(running, '')).toEqual([[5, 4], [3, 2], [1]]);
    expect(await pages(running, `&type=${type}`)).toEqual([[5, 3], [1]]);
    expect(await pages(running, '&from=2027-03-01T09:00:02Z&to=2027-03-01T09:00:04Z')).toEqual([
      [3, 2],
    ]);
    const [first] = (await running.call('GET', '/events')).body.data;
    expect(first).toMatchObject({
      type,
      received_at: '2027-03-01T09:00:05.000Z',
      payload: { id: '5' },
    });
    expect((await running.call('GET', `/events/${first.id}`)).body).toEqual(first);
    const wrong = await running.call('GET', '/events?limit=0&from=yesterday');
    expect(wrong.body.detail).toMatch(
      /limit: .*from: use a timestamp such as 2027-03-01T09:00:00Z/,
    );
    const cursor = await running.call('GET', '/events?cursor=x');
    expect(cursor.body.detail).toBe('cursor: use the cursor of the previous page, unchanged.');
  });

  it('shows a token nothing from another source', async () => {
    const receiver = await startReceiver();
    const running = await start();
    await running.relay.sources.add('other', 'another-secret');
    const { token } = await running.relay.tokens.create('other', 'stranger');
    const { body: own } = await running.call('PUT', '/subscriptions', {
      target_url: receiver.url,
      events: [type],
    });
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(0);
    const [event] = (await running.call('GET', '/events')).body.data;
    const [delivery] = (await running.call('GET', '/deliveries')).body.data;
    const as = (method: string, path: string, body?: unknown) =>
      running.call(method, path, body, token);
    for (const [method, path] of [
      ['GET', `/subscriptions/${own.id}`],
      ['DELETE', `/subscriptions/${own.id}`],
      ['POST', `/subscriptions/${own.id}/replay`],
      ['GET', `/events/${event.id}`],
      ['POST', `/events/${event.id}/replay`],
      ['POST', `/deliveries/${delivery.id}/replay`],
      ['GET', `/deliveries?subscription_id=${own.id}`],
      ['GET', `/deliveries?event_id=${event.id}`],
    ] as const) {
      expect([path, (await as(method, path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/events', '/deliveries', '/subscriptions']) {
      expect((await as('GET', path)).body).toEqual({
        data: [],
        pagination: { cursor: null, has_more: false },
      });
    }
    expect((await running.call('GET', `/subscriptions/${own.id}`)).body.state).toBe('active');
    expect(receiver.arrivals).toHaveLength(1);
  });

  it('replays one event, one delivery, and a range', async () => {
    const receiver = await startReceiver();
    const running = await start();
    const { body: own } = await running.call('PUT', '/subscriptions', {
      target_url: receiver.url,
      events: [type],
    });
    await deliverMany(running, 3);
    await running.relay.clock.advance(0);
    const [delivery] = (await running.call('GET', '/deliveries?limit=1')).body.data;
    const replays: [path: string, body?: unknown][] = [
      [`/events/${delivery.event_id}/replay`],
      [`/events/${delivery.event_id}/replay`, { subscription_id: own.id }],
      [`/deliveries/${delivery.id}/replay`],
      [`/subscriptions/${own.id}/replay`, { from: '2027-03-01T09:00:03Z' }],
    ];
    for (const [path, body] of replays) {
      expect(await running.call('POST', path, body)).toMatchObject({
        status: 202,
        body: { replayed: 1 },
      });
      await running.relay.clock.advance(0);
    }
    expect((await running.call('POST', `/subscriptions/${own.id}/replay`)).body).toEqual({
      replayed: 2,
      has_more: false,
    });
    await running.relay.clock.advance(0);
    expect(receiver.arrivals).toHaveLength(8);
    expect(
      new Set(receiver.arrivals.slice(1, 6).map(({ headers }) => headers['x-relay-event'])).size,
    ).toBe(1);
  });

  it('signs with both secrets during a rotation, and rejects a revoked token', async () => {
    const receiver = await startReceiver();
    const running = await start();
    await running.relay.tokens.create('main', 'turning');
    const old = await running.relay.tokens.rotate('main', 'turning');
    await running.call(
      'PUT',
      '/subscriptions',
      { target_url: receiver.url, events: [type] },
      old.token,
    );
    const made = await running.relay.tokens.rotate('main', 'turning');
    for (const { token } of [old, made])
      expect((await running.call('GET', '/me', undefined, token)).status).toBe(200);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(0);
    const { headers } = receiver.arrivals[0] ?? {};
    expect(headers?.['x-service-signature']).toMatch(/^t=\d+,v1=\w{64},v1=\w{64}$/);
    expect(headers?.['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    await running.relay.tokens.revoke('main', 'turning');
    expect((await running.call('GET', '/me', undefined, made.token)).status).toBe(401);
    expect((await running.call('GET', '/subscriptions')).body.data).toMatchObject([
      { state: 'off', off_reason: 'token_revoked' },
    ]);
  });

  it('stores no secret and no token in plain text', async () => {
    const running = await start();
    const rows = await onDatabase(running.databaseUrl, async (client) => {
      const { rows: sources } = await client.query('SELECT * FROM source');
      const { rows: tokens } = await client.query('SELECT * FROM token');
      return JSON.stringify([...sources, ...tokens], (_, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
      );
    });
    const { token, signingSecret } = running.key;
    expect(rows).toContain('main');
    for (const secret of [sourceSecret, token, signingSecret]) expect(rows).not.toContain(secret);
  });
});
