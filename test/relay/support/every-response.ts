import { expect } from '@jest/globals';
import { type RelayResponse, send, startAt } from './running-relay.ts';
import { type, type World } from './world.ts';

const none = '0'.repeat(32);

export type Row = [
  operation: string,
  status: number,
  ask: (world: World) => Promise<RelayResponse>,
  body: object | undefined,
];

const problem = (status: number, kind: string, title: string, detail: unknown) => ({
  type: `urn:screen-advertising:relay:problem:${kind}`,
  title,
  status,
  detail,
});
const notFound = (detail: string) => problem(404, 'not-found', 'Not found', detail);
const isOff = problem(
  409,
  'conflict',
  'Conflict',
  'The subscription is off. Switch it on with PUT /api/v1/subscriptions, then replay.',
);
const invalid = (detail: string) => problem(400, 'invalid-parameter', 'Invalid parameter', detail);
const noSubscription = notFound(`There is no subscription sub_${none}.`);
const noEvent = notFound(`There is no event evt_${none}, or it was pruned.`);
const noDelivery = notFound(`There is no delivery dlv_${none}_1, or it was pruned.`);
const badState = invalid('state: use pending, delivered, ignored or dead.');
const badLimit = invalid('limit: use a whole number from 1 to 200.');
const page = { data: expect.any(Array), pagination: { cursor: null, has_more: false } };

const ask =
  (method: string, path: string | ((ids: World['ids']) => string), body?: unknown) =>
  ({ running, ids }: World) =>
    running.call(method, typeof path === 'string' ? path : path(ids), body);

/** A request for every status of every operation. */
export const rows: Row[] = [
  ['ingress', 202, ({ running }) => running.deliver({ id: '2', type, data: {} }), { stored: true }],
  [
    'ingress',
    200,
    ({ running }) => running.deliver({ id: '1', type, data: {} }),
    { stored: false },
  ],
  [
    'ingress',
    400,
    ({ running }) => running.deliver('{'),
    problem(400, 'malformed-body', 'Malformed body', expect.stringMatching(/not JSON/)),
  ],
  [
    'ingress',
    401,
    ({ running }) => running.deliver({ type }, { secret: 'x' }),
    problem(401, 'invalid-signature', 'Invalid signature', expect.stringMatching(/secrets/)),
  ],
  [
    'ingress',
    404,
    ({ running }) => running.deliver({ type }, { source: 'x' }),
    notFound('There is no source with this name.'),
  ],
  [
    'ingress',
    413,
    ({ running }) => running.deliver('x'.repeat(2 ** 20 + 1)),
    problem(413, 'body-too-large', 'Body too large', 'The body is longer than 1048576 bytes.'),
  ],
  [
    'me',
    200,
    ask('GET', '/me'),
    {
      name: expect.any(String),
      source: 'main',
      rights: ['events', 'subscriptions', 'deliveries', 'replay'],
    },
  ],
  [
    'subscriptions.put',
    201,
    ask('PUT', '/subscriptions', { target_url: 'https://a.example/', events: ['user.registered'] }),
    {
      id: expect.stringMatching(/^sub_/),
      target_url: 'https://a.example/',
      events: ['user.registered'],
      name: null,
      state: 'active',
      off_reason: null,
      created_at: '2027-03-01T09:00:00.000Z',
    },
  ],
  [
    'subscriptions.put',
    200,
    ({ running, target }) =>
      running.call('PUT', '/subscriptions', { target_url: `${target}/off`, events: [type] }),
    expect.objectContaining({ state: 'active', off_reason: null }) as object,
  ],
  [
    'subscriptions.put',
    400,
    ask('PUT', '/subscriptions', { target_url: 'a', events: [type] }),
    invalid('target_url: use a URL that starts with https://.'),
  ],
  [
    'subscriptions.put',
    413,
    ask('PUT', '/subscriptions', 'x'.repeat(65_537)),
    problem(413, 'body-too-large', 'Body too large', 'The body is longer than 65536 bytes.'),
  ],
  ['subscriptions.list', 200, ask('GET', '/subscriptions'), page],
  ['subscriptions.list', 400, ask('GET', '/subscriptions?limit=0'), badLimit],
  [
    'subscriptions.get',
    200,
    ask('GET', ({ off }) => `/subscriptions/${off}`),
    expect.objectContaining({ state: 'off', off_reason: 'by_hand' }) as object,
  ],
  ['subscriptions.get', 404, ask('GET', `/subscriptions/sub_${none}`), noSubscription],
  ['subscriptions.delete', 204, ask('DELETE', ({ off }) => `/subscriptions/${off}`), undefined],
  ['subscriptions.delete', 404, ask('DELETE', `/subscriptions/sub_${none}`), noSubscription],
  [
    'subscriptions.test',
    200,
    ask('POST', ({ on }) => `/subscriptions/${on}/test`),
    expect.objectContaining({ delivered: true, is_sample: false, status: 200 }) as object,
  ],
  ['subscriptions.test', 404, ask('POST', `/subscriptions/sub_${none}/test`), noSubscription],
  [
    'subscriptions.replay',
    202,
    ask('POST', ({ on }) => `/subscriptions/${on}/replay`),
    { replayed: 1, has_more: false },
  ],
  [
    'subscriptions.replay',
    400,
    ask('POST', ({ on }) => `/subscriptions/${on}/replay`, { state: 'lost' }),
    badState,
  ],
  [
    'subscriptions.replay',
    413,
    ask('POST', ({ on }) => `/subscriptions/${on}/replay`, 'x'.repeat(65_537)),
    problem(413, 'body-too-large', 'Body too large', 'The body is longer than 65536 bytes.'),
  ],
  ['subscriptions.replay', 404, ask('POST', `/subscriptions/sub_${none}/replay`), noSubscription],
  ['subscriptions.replay', 409, ask('POST', ({ off }) => `/subscriptions/${off}/replay`), isOff],
  [
    'subscriptions.retry',
    202,
    ask('POST', ({ on }) => `/subscriptions/${on}/retry`),
    { retried: 0, has_more: false },
  ],
  ['subscriptions.retry', 404, ask('POST', `/subscriptions/sub_${none}/retry`), noSubscription],
  ['subscriptions.retry', 409, ask('POST', ({ off }) => `/subscriptions/${off}/retry`), isOff],
  [
    'subscriptions.replayMissing',
    202,
    ask('POST', ({ on }) => `/subscriptions/${on}/replay-missing`, { since: startAt }),
    { deliveries: 0, has_more: false },
  ],
  [
    'subscriptions.replayMissing',
    400,
    ask('POST', ({ on }) => `/subscriptions/${on}/replay-missing`, {}),
    invalid('since: use a timestamp such as 2027-03-01T09:00:00Z.'),
  ],
  [
    'subscriptions.replayMissing',
    413,
    ask('POST', ({ on }) => `/subscriptions/${on}/replay-missing`, 'x'.repeat(65_537)),
    problem(413, 'body-too-large', 'Body too large', 'The body is longer than 65536 bytes.'),
  ],
  [
    'subscriptions.replayMissing',
    404,
    ask('POST', `/subscriptions/sub_${none}/replay-missing`, { since: startAt }),
    noSubscription,
  ],
  [
    'subscriptions.replayMissing',
    409,
    ask('POST', ({ off }) => `/subscriptions/${off}/replay-missing`, { since: startAt }),
    isOff,
  ],
  ['events.list', 200, ask('GET', '/events'), page],
  ['events.list', 400, ask('GET', '/events?limit=201'), badLimit],
  [
    'events.list',
    410,
    ask('GET', '/events?after=999-00000000'),
    {
      ...problem(
        410,
        'position-gone',
        'Position gone',
        'The relay does not know this position, perhaps because its database was restored from a backup. Continue after the position in this response, which is the newest.',
      ),
      position: expect.stringMatching(/^1-[0-9a-f]{8}$/),
    },
  ],
  [
    'events.get',
    200,
    ask('GET', ({ event }) => `/events/${event}`),
    {
      id: expect.stringMatching(/^evt_/),
      position: expect.stringMatching(/^1-[0-9a-f]{8}$/),
      type,
      received_at: '2027-03-01T09:00:00.000Z',
      data: {},
      payload: { id: '1', type, data: {} },
    },
  ],
  ['events.get', 404, ask('GET', `/events/evt_${none}`), noEvent],
  [
    'events.replay',
    202,
    ask('POST', ({ event }) => `/events/${event}/replay`),
    { replayed: 1, has_more: false },
  ],
  [
    'events.replay',
    400,
    ask('POST', ({ event }) => `/events/${event}/replay`, { to: 'x' }),
    invalid('to: unknown field, leave it out.'),
  ],
  [
    'events.replay',
    413,
    ask('POST', ({ event }) => `/events/${event}/replay`, 'x'.repeat(65_537)),
    problem(413, 'body-too-large', 'Body too large', 'The body is longer than 65536 bytes.'),
  ],
  ['events.replay', 404, ask('POST', `/events/evt_${none}/replay`), noEvent],
  [
    'events.replay',
    404,
    ask('POST', ({ event }) => `/events/${event}/replay`, { subscription_id: `sub_${none}` }),
    noSubscription,
  ],
  [
    'events.replay',
    409,
    ({ running, ids }) =>
      running.call('POST', `/events/${ids.event}/replay`, { subscription_id: ids.off }),
    isOff,
  ],
  ['deliveries.list', 200, ask('GET', '/deliveries'), page],
  ['deliveries.list', 400, ask('GET', '/deliveries?state=lost'), badState],
  ['deliveries.list', 404, ask('GET', `/deliveries?subscription_id=sub_${none}`), noSubscription],
  ['deliveries.list', 404, ask('GET', `/deliveries?event_id=evt_${none}`), noEvent],
  [
    'deliveries.get',
    200,
    ask('GET', ({ delivery }) => `/deliveries/${delivery}`),
    expect.objectContaining({
      state: 'delivered',
      attempts: [
        {
          at: startAt,
          status: 200,
          error: null,
          duration_ms: expect.any(Number),
          response: expect.objectContaining({ status: 200, is_binary: false, is_cut: false }),
        },
      ],
    }) as object,
  ],
  ['deliveries.get', 404, ask('GET', `/deliveries/dlv_${none}_1`), noDelivery],
  [
    'deliveries.replay',
    202,
    ask('POST', ({ delivery }) => `/deliveries/${delivery}/replay`),
    { replayed: 1, has_more: false },
  ],
  ['deliveries.replay', 404, ask('POST', `/deliveries/dlv_${none}_1/replay`), noDelivery],
  [
    'deliveries.replay',
    409,
    ask('POST', ({ offDelivery }) => `/deliveries/${offDelivery}/replay`),
    isOff,
  ],
  [
    'deliveries.retrySeveral',
    202,
    ask('POST', '/deliveries/retry', { ids: [`dlv_${none}_1`] }),
    { retried: 0, has_more: false },
  ],
  [
    'deliveries.retrySeveral',
    400,
    ask('POST', '/deliveries/retry', { ids: [] }),
    invalid('ids: use 1 to 100 IDs of deliveries, such as ["dlv_0190…"].'),
  ],
  [
    'deliveries.retrySeveral',
    413,
    ask('POST', '/deliveries/retry', 'x'.repeat(65_537)),
    problem(413, 'body-too-large', 'Body too large', 'The body is longer than 65536 bytes.'),
  ],
  ['deliveries.retry', 404, ask('POST', `/deliveries/dlv_${none}_1/retry`), noDelivery],
  [
    'deliveries.retry',
    409,
    ask('POST', ({ delivery }) => `/deliveries/${delivery}/retry`),
    problem(
      409,
      'conflict',
      'Conflict',
      'The delivery is not pending. To deliver it again, replay it.',
    ),
  ],
  [
    'deliveries.retry',
    202,
    async ({ running }) => {
      const body = { target_url: 'http://127.0.0.1:9/', events: ['user.registered'] };
      await running.call('PUT', '/subscriptions', body);
      await running.deliver({ id: '3', type: 'user.registered', data: {} });
      const [delivery] = (await running.call('GET', '/deliveries?state=pending')).body.data;
      return running.call('POST', `/deliveries/${delivery.id}/retry`);
    },
    { retried: 1, has_more: false },
  ],
  ['health', 200, ({ running }) => send(`${running.url}/healthz`, 'GET', {}), { status: 'ok' }],
  ['readiness', 200, ({ running }) => send(`${running.url}/readyz`, 'GET', {}), { status: 'ok' }],
];
