import { expect } from '@jest/globals';
import {
  badState,
  badSwitch,
  conflict,
  invalid,
  isCut,
  isRevoked,
  limitTooHigh,
  limitTooLow,
  noDelivery,
  noEvent,
  none,
  noSubscription,
  notFound,
  problem,
  tooLarge,
} from './expected-problems.ts';
import {
  manages,
  ofRevoked,
  type Row,
  row,
  subscribing,
  type,
  type World,
} from './response-row.ts';
import { send, startAt } from './running-relay.ts';

const page = { data: expect.any(Array), pagination: { cursor: null, has_more: false } };
const some = (fields: object): object => expect.objectContaining(fields) as object;
const position = expect.stringMatching(/^1-[0-9a-f]{8}$/);

const ingress = ({ running }: World, event: unknown, options = {}) =>
  running.deliver(event, options);

const ofIngress: Row[] = [
  ['ingress', 202, (world) => ingress(world, { id: '2', type }), { stored: true }],
  ['ingress', 200, (world) => ingress(world, { id: '1', type, data: {} }), { stored: false }],
  [
    'ingress',
    400,
    (world) => ingress(world, '{'),
    problem(400, 'malformed-body', 'Malformed body', expect.stringMatching(/not JSON/)),
  ],
  [
    'ingress',
    401,
    (world) => ingress(world, { type }, { secret: 'x' }),
    problem(401, 'invalid-signature', 'Invalid signature', expect.stringMatching(/secrets/)),
  ],
  [
    'ingress',
    404,
    (world) => ingress(world, { type }, { source: 'x' }),
    notFound('There is no source with this name.'),
  ],
  ['ingress', 413, (world) => ingress(world, 'x'.repeat(2 ** 20 + 1)), tooLarge(2 ** 20)],
  ['health', 200, ({ running }) => send(`${running.url}/healthz`, 'GET', {}), { status: 'ok' }],
  ['readiness', 200, ({ running }) => send(`${running.url}/readyz`, 'GET', {}), { status: 'ok' }],
];

const started = { deliveries: 1, has_more: false };
const dead = { states: ['dead'] };
const subscription = '/subscriptions/{on}';
const off = '/subscriptions/{off}';
const unknown = `/subscriptions/sub_${none}`;
const registration = subscribing('https://a.example/', 'user.registered');

/** Every status of every operation. */
export const rows: Row[] = [
  ...ofIngress,
  row('me', 200, 'GET /me', {
    name: expect.any(String),
    source: 'main',
    rights: ['subscribe'],
  }),

  row(
    'subscriptions.put',
    201,
    'PUT /subscriptions',
    {
      ...registration,
      id: expect.stringMatching(/^sub_/),
      name: null,
      state: 'active',
      off_reason: null,
      max_concurrency: 4,
      created_at: startAt,
    },
    registration,
  ),
  [
    'subscriptions.put',
    200,
    ({ running, target }) =>
      running.call('PUT', '/subscriptions', subscribing(`${target}/off`, type)),
    some({ state: 'active', off_reason: null }),
  ],
  row(
    'subscriptions.put',
    400,
    'PUT /subscriptions',
    invalid('target_url: use a URL that starts with https://.'),
    subscribing('a', type),
  ),
  row('subscriptions.list', 200, 'GET /subscriptions', page),
  row('subscriptions.list', 400, 'GET /subscriptions?limit=0', limitTooLow),
  row('subscriptions.get', 200, `GET ${off}`, some({ state: 'off', off_reason: 'by_hand' })),
  row('subscriptions.get', 404, `GET ${unknown}`, noSubscription),
  row('subscriptions.delete', 204, `DELETE ${off}`, undefined),
  row('subscriptions.delete', 404, `DELETE ${unknown}`, noSubscription),
  row(
    'subscriptions.test',
    200,
    `POST ${subscription}/test`,
    some({ delivered: true, is_sample: false, status: 200 }),
  ),
  row('subscriptions.test', 404, `POST ${unknown}/test`, noSubscription),
  [
    'subscriptions.redeliver',
    202,
    ({ running, ids }) =>
      running.call('POST', `/subscriptions/${ids.on}/redeliver`, { deliveries: [ids.delivery] }),
    started,
  ],
  row(
    'subscriptions.redeliver',
    400,
    `POST ${subscription}/redeliver`,
    invalid('the body must name one of deliveries, states, missing and of.'),
    {},
  ),
  row('subscriptions.redeliver', 404, `POST ${unknown}/redeliver`, noSubscription, dead),
  ['subscriptions.redeliver', 409, ofRevoked('POST', '/redeliver', dead), isCut],
  row('subscriptions.change', 200, `PATCH ${subscription}`, some({ name: 'Renamed' }), {
    name: 'Renamed',
  }),
  row('subscriptions.change', 400, `PATCH ${subscription}`, badSwitch, { state: 'on' }),
  row('subscriptions.change', 404, `PATCH ${unknown}`, noSubscription, { state: 'off' }),
  ['subscriptions.change', 409, ofRevoked('PATCH', '', { state: 'active' }), isRevoked],
  row('subscriptions.retry', 202, `POST ${subscription}/retry`, { ...started, deliveries: 0 }),
  row(
    'subscriptions.retry',
    400,
    `POST ${subscription}/retry`,
    invalid('deliveries must be a list of 1 to 100 IDs of deliveries, such as ["dlv_0190…"].'),
    { deliveries: [] },
  ),
  row('subscriptions.retry', 404, `POST ${unknown}/retry`, noSubscription),
  ['subscriptions.retry', 409, ofRevoked('POST', '/retry', {}), isCut],

  row('events.list', 200, 'GET /events', page),
  row('events.list', 400, 'GET /events?limit=201', limitTooHigh),
  row('events.list', 410, 'GET /events?after=999-00000000', {
    ...problem(
      410,
      'position-gone',
      'Position gone',
      'The relay does not know this position, perhaps because its database was restored from a backup. Continue after the position in this response, which is the newest.',
    ),
    position,
  }),
  [
    'events.erase',
    200,
    ({ running }) => manages(running, 'DELETE', '/events?search=unknown'),
    { erased: 0 },
  ],
  [
    'events.erase',
    400,
    ({ running }) => manages(running, 'DELETE', '/events'),
    invalid('search must be a whole value, such as an email address, of up to 500 characters.'),
  ],
  row('events.get', 200, 'GET /events/{event}', {
    id: expect.stringMatching(/^evt_/),
    position,
    type,
    received_at: startAt,
    data: {},
    is_erased: false,
    payload: { id: '1', type, data: {} },
  }),
  row('events.get', 404, `GET /events/evt_${none}`, noEvent),
  row('events.redeliver', 202, 'POST /events/{event}/redeliver', started),
  row(
    'events.redeliver',
    400,
    'POST /events/{event}/redeliver',
    invalid('to: unknown field, leave it out.'),
    { to: 'x' },
  ),
  row('events.redeliver', 404, `POST /events/evt_${none}/redeliver`, noEvent),
  row('events.redeliver', 404, 'POST /events/{event}/redeliver', noSubscription, {
    subscription: `sub_${none}`,
  }),
  [
    'events.redeliver',
    409,
    async ({ running, target, ids }) => {
      const put = subscribing(`${target}/deleted`, type);
      const subscription = (await running.call('PUT', '/subscriptions', put)).body.id;
      await running.call('DELETE', `/subscriptions/${subscription}`);
      return running.call('POST', `/events/${ids.event}/redeliver`, { subscription });
    },
    conflict('The subscription was deleted, so its target gets no more deliveries.'),
  ],

  row('deliveries.list', 200, 'GET /deliveries', page),
  row('deliveries.list', 400, 'GET /deliveries?state=lost', badState),
  row('deliveries.list', 404, `GET /deliveries?subscription_id=sub_${none}`, noSubscription),
  row('deliveries.list', 404, `GET /deliveries?event_id=evt_${none}`, noEvent),
  row(
    'deliveries.get',
    200,
    'GET /deliveries/{delivery}',
    some({
      state: 'delivered',
      attempts: [
        {
          at: startAt,
          status: 200,
          error: null,
          duration_ms: expect.any(Number),
          response: some({ status: 200, is_binary: false, is_cut: false }),
        },
      ],
    }),
  ),
  row('deliveries.get', 404, `GET /deliveries/dlv_${none}_1`, noDelivery),
  ...[
    ['subscriptions.put', 'PUT /subscriptions'],
    ['subscriptions.change', `PATCH ${subscription}`],
    ['subscriptions.redeliver', `POST ${subscription}/redeliver`],
    ['subscriptions.retry', `POST ${subscription}/retry`],
    ['events.redeliver', 'POST /events/{event}/redeliver'],
  ].map(([operation = '', request = '']) =>
    row(operation, 413, request, tooLarge(2 ** 16), 'x'.repeat(2 ** 16 + 1)),
  ),
];
