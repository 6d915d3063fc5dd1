import { beforeAll, describe, expect, it } from '@jest/globals';
import { apiKey, clientCredentials, createClient } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventNames } from '../../support/catalogue-names.ts';
import { ownSource, type Running, start, subscribe } from '../support/running-relay.ts';

const target = 'http://127.0.0.1:9/1';
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

const known = eventNames.join(', ');

describe('the API', () => {
  let running: Running;

  beforeAll(async () => {
    running = await start();
    await deliverMany(running, 5);
  });

  it('identifies a token, and rejects any other', async () => {
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
    const { url } = running;
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

  it('keeps one subscription per token and target, even for concurrent requests', async () => {
    const { call } = running;
    const put = (events: string[]) =>
      call('PUT', '/subscriptions', { target_url: target, events, name: 'Zap' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => put(index % 2 ? [other, type] : [type, other, type])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    const ids = answers.map(({ body }) => String(body.id)).sort();
    const [first = ''] = ids;
    expect(ids).toEqual([1, 2, 3, 4, 5, 6].map((number) => first.replace(/1$/, `${number}`)));
    expect(answers[0]?.body).toEqual({
      id: expect.stringMatching(/^sub_[0-9a-f]{32}_\d$/),
      target_url: target,
      events: [type, other],
      name: 'Zap',
      state: 'active',
      off_reason: null,
      max_concurrency: 4,
      created_at: '2027-03-01T09:00:05.000Z',
    });
  });

  it('lists events newest first, by page, type and time', async () => {
    expect(await pages(running, '')).toEqual([[5, 4], [3, 2], [1]]);
    expect(await pages(running, `&type=${type}`)).toEqual([[5, 3], [1]]);
    expect(await pages(running, '&from=2027-03-01T09:00:02Z&to=2027-03-01T09:00:04Z')).toEqual([
      [3, 2],
    ]);
    const [first] = (await running.call('GET', '/events')).body.data;
    expect(first).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      position: expect.stringMatching(/^5-[0-9a-f]{8}$/),
      type,
      received_at: '2027-03-01T09:00:05.000Z',
      data: { number: 5 },
      is_erased: false,
      waiting: 0,
      payload: { id: '5', type, data: { number: 5 } },
    });
    expect((await running.call('GET', `/events/${first.id}`)).body).toEqual(first);
  });

  it('signs with both secrets during a rotation', async () => {
    const receiver = await startReceiver();
    const running = await start();
    await running.relay.tokens.create('main', 'turning');
    const old = await running.relay.tokens.rotate('main', 'turning');
    await subscribe(running, receiver.url, { token: old.token });
    const made = await running.relay.tokens.rotate('main', 'turning');
    for (const { token } of [old, made])
      expect((await running.call('GET', '/me', undefined, token)).status).toBe(200);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(0);
    const { headers } = receiver.arrivals[0] ?? {};
    expect(headers?.['x-service-signature']).toMatch(/^t=\d+,v1=\w{64},v1=\w{64}$/);
    expect(headers?.['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  });

  it('a subscription to events that do not exist is refused with those that do', async () => {
    const { call, deliver } = await ownSource(running);
    const put = (names: string[]) =>
      call('PUT', '/subscriptions', { target_url: 'https://hooks.example.com/1', events: names });
    const { status, body } = await put(['campaign.paid', 'campaign.payd', 'toString']);
    expect([status, body.detail]).toEqual([
      400,
      `events: the service has no event "campaign.payd", "toString". Use ${known}, or "*" for all, including future ones. The relay has relay.subscription_failing, relay.subscription_off, relay.delivery_dead.`,
    ]);
    // The service may add events that this version does not know.
    await deliver({ id: '1', type: 'screen.paused' });
    expect((await put(['screen.paused', 'campaign.paid'])).status).toBe(201);
  });

  it('a subscription to "*" gets all events, including future ones', async () => {
    const own = await ownSource(running);
    const receiver = await startReceiver();
    const id = await subscribe(own, receiver.url, { events: ['*', 'campaign.paid'] });
    expect((await own.call('GET', `/subscriptions/${id}`)).body.events).toEqual(['*']);
    await own.deliver({ id: '1', type: 'screen.paused' });
    await own.relay.clock.advance(0);
    expect(receiver.arrivals).toHaveLength(1);
  });
});
