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

let running: Running;

beforeAll(async () => {
  running = await start();
  await deliverMany(running, 5);
});

describe('the API', () => {
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

const hook = 'https://hooks.example.com/1';
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
const uuid = '01959b2a-0000-7000-8000-000000000000';
const eventName = 'must be the name of an event, such as campaign.paid, of up to 200 characters.';
const tampered = 'cursor must be the cursor of the previous page, unchanged.';

const queries: [query: string, detail: string][] = [
  ...['/events', '/deliveries', '/subscriptions'].flatMap((list): [string, string][] => [
    [`${list}?limit=0`, 'limit must be at least 1.'],
    [`${list}?limit=201`, 'limit must be at most 200.'],
    ...['1.5', '', 'x'].map((limit): [string, string] => [
      `${list}?limit=${limit}`,
      'limit must be a whole number from 1 to 200.',
    ]),
    [`${list}?limit=5&limit=6`, 'limit: send it only once.'],
    [`${list}?page=2`, 'page: unknown field, leave it out.'],
    ...['', 'x', '%00', cursorOf('0'.repeat(100)), cursorOf("' OR 1=1"), cursorOf(`${uuid}x`)].map(
      (cursor): [string, string] => [`${list}?cursor=${cursor}`, tampered],
    ),
  ]),
  [`/events?cursor=${cursorOf(uuid)}!`, tampered],
  [`/events?cursor=${cursorOf(`${uuid} 1`)}`, tampered],
  [`/deliveries?cursor=${cursorOf(`${uuid} 9999999999`)}`, tampered],
  [`/subscriptions?cursor=${cursorOf('99999999999')}`, tampered],
  ['/events?from=yesterday', 'from must be a timestamp such as 2027-03-01T09:00:00Z.'],
  ['/events?to=2027-02-30T00:00:00Z', 'to must be a timestamp such as 2027-03-01T09:00:00Z.'],
  ['/events?type=', `type ${eventName}`],
  ['/events?type=a%00', `type ${eventName}`],
  ['/deliveries?state=lost', 'state must be pending, delivered, ignored or dead.'],
];

const subscribing: [body: unknown, detail: string][] = [
  ['{', 'The body is not valid JSON.'],
  ['null', 'the body must be a JSON object.'],
  ['[]', 'the body must be a JSON object.'],
  [
    {},
    'target_url must be a URL that starts with https://, of up to 2048 characters; events must be a list of 1 to 50 names of events, such as ["campaign.paid"].',
  ],
  [{ target_url: hook, events: ['a'], more: 1 }, 'more: unknown field, leave it out.'],
  [
    { target_url: `${hook}\0`, events: ['a'] },
    'target_url must be a URL that starts with https://, of up to 2048 characters.',
  ],
  [{ target_url: hook, events: ['a', ''] }, `events.1 ${eventName}`],
  [
    { target_url: hook, events: Array(51).fill('a') },
    'events must be a list of 1 to 50 names of events, such as ["campaign.paid"].',
  ],
  [
    { target_url: hook, events: ['a'], name: '' },
    'name must have 1 to 200 characters, or be left out.',
  ],
  [{ target_url: hook, events: ['a'], max_concurrency: 17 }, 'max_concurrency must be at most 16.'],
  [{ target_url: 'ftp://a', events: ['a'] }, 'target_url: use a URL that starts with https://.'],
  [
    { target_url: 'https://me:pass@example.com/', events: ['a'] },
    'target_url: leave out the username and password: lists show the URL.',
  ],
];

async function expectRefused(detail: string, method: string, path: string, sent?: unknown) {
  const { status, headers, body } = await running.call(method, path, sent);
  expect([path, body.detail]).toEqual([path, detail]);
  expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json']);
}

describe('an invalid request', () => {
  it('gets an error that names the parameter at fault', async () => {
    for (const [path, detail] of queries) {
      await expectRefused(detail, 'GET', path);
    }
  });

  it('gets an error that names the member of the body at fault', async () => {
    for (const [body, detail] of subscribing) {
      await expectRefused(detail, 'PUT', '/subscriptions', body);
    }
  });

  it('with the wrong method gets the methods that the path supports', async () => {
    const rows: [method: string, path: string, allow: string][] = [
      ['POST', '/me', 'GET, HEAD'],
      ['POST', '/subscriptions', 'GET, HEAD, PUT'],
      ['POST', '/subscriptions/sub_1', 'DELETE, GET, HEAD, PATCH'],
      ['GET', '/subscriptions/sub_1/test', 'POST'],
      ['PUT', '/events', 'DELETE, GET, HEAD'],
      ['OPTIONS', '/deliveries', 'GET, HEAD'],
    ];
    for (const [method, path, allow] of rows) {
      const { status, headers, body } = await running.call(method, path);
      expect([path, status, headers.get('allow'), body.detail]).toEqual([
        path,
        405,
        allow,
        `/api/v1${path} takes ${allow}, not ${method}.`,
      ]);
    }
    expect((await running.call('GET', '/nothing')).body.detail).toBe(
      'The relay has no GET /api/v1/nothing.',
    );
    const head = await fetch(`${running.url}/api/v1/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${running.key.token}` },
    });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('from code, too, gets an error that names what is at fault', async () => {
    const { relay } = running;
    // @ts-expect-error An option that does not exist.
    await expect(relay.operate('subscriptions.list', { limmit: 5 })).rejects.toThrow(
      'limmit: unknown field, leave it out.',
    );
    // @ts-expect-error A state that does not exist.
    await expect(relay.operate('deliveries.list', { state: 'pendign' })).rejects.toThrow(
      'state must be pending, delivered, ignored or dead.',
    );
    await expect(relay.operate('events.redeliver', { id: 'evt_1' })).rejects.toThrow(
      'There is no event evt_1, or it was pruned.',
    );
  });
});
