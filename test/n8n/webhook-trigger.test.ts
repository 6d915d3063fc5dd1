import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredCredentials } from './engine.ts';
import { event, type Post, WebhookBench } from './webhook-bench.ts';

const bench = new WebhookBench();
beforeEach(() => bench.begin());

describe('a delivery', () => {
  const large = { ...event, data: { ...event.data, note: 'x'.repeat(1_000_000) } };

  it.each<[name: string, post: Post]>([
    ['that is valid', {}],
    ['signed with the previous secret', { secret: 'previous-secret' }],
    ['of 1 MB', { body: JSON.stringify(large) }],
    ['that is no JSON by its content type', { headers: { 'content-type': 'text/plain' } }],
  ])('%s starts the workflow', async (_name, post) => {
    const response = await bench.deliver(post);
    expect(response.status).toBe(200);
    expect(bench.server.executions).toHaveLength(1);
  });

  it.each<[name: string, post: Post, status: number, detail: RegExp]>([
    ['with another secret', { secret: 'another' }, 401, /matches none of the signing secrets/],
    ['that names no event', { body: '{"hello":"world"}' }, 400, /names no event/],
  ])('%s starts nothing', async (_name, post, status, detail) => {
    const response = await bench.deliver(post);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const problem = (await response.json()) as Record<string, unknown>;
    expect(problem).toEqual({
      type: 'about:blank',
      title: status === 401 ? 'Unauthorized' : 'Bad Request',
      status,
      detail: expect.stringMatching(detail),
    });
    expect(bench.server.executions).toEqual([]);
  });
});

describe('events', () => {
  const other = { ...event, id: 'evt_2', type: 'user.registered' };
  const unknown = { ...event, id: 'evt_3', type: 'screen.installed' };

  it('that were not selected are acknowledged', async () => {
    expect((await bench.deliver({ body: JSON.stringify(other) })).status).toBe(200);
    expect((await bench.deliver({ body: JSON.stringify(unknown) })).status).toBe(200);
    expect(bench.server.executions).toEqual([]);
  });

  it('of a later version pass when the option says so', async () => {
    const open = await bench.publish({ options: { unknownEvents: true } });
    await bench.deliver({ body: JSON.stringify(unknown) }, open);
    await bench.deliver({ body: JSON.stringify(other) }, open);
    expect(open.executions.map(([item]) => item?.json.type)).toEqual(['screen.installed']);
  });

  it('arrive with their ID, name, time and data', async () => {
    await bench.deliver({ age: 60 });
    const [[item] = []] = bench.server.executions;
    expect(item?.json).toEqual({
      id: 'evt_1',
      type: 'coupon.redeemed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/),
      data: event.data,
    });
    expect(Date.parse(String(item?.json.timestamp))).toBeLessThanOrEqual(Date.now() - 59_000);
  });

  it('have their amounts in currency units beside the cents', async () => {
    const paid = { type: 'campaign.paid', data: { campaign_id: 'cmp_1', amount_cents: 129_950 } };
    const open = await bench.publish({ events: ['campaign.paid'] });
    await bench.deliver({ body: JSON.stringify(paid) }, open);
    const data = { campaign_id: 'cmp_1', amount: 1299.5, amount_cents: 129_950 };
    expect(open.executions.map(([item]) => item?.json.data)).toEqual([data]);
  });

  it('have the time of the event, whenever they are signed', async () => {
    const created_at = '2027-03-01T09:00:00Z';
    await bench.deliver({ age: 60, body: JSON.stringify({ ...event, created_at }) });
    // In a body without an envelope, it is the time of the coupon.
    const { type, data } = event;
    await bench.deliver({ body: JSON.stringify({ type, ...data, created_at }) });
    const [enveloped, flat] = bench.server.executions.map(([item]) => item?.json.timestamp);
    expect(enveloped).toBe('2027-03-01T09:00:00.000Z');
    expect(flat).not.toBe(enveloped);
  });

  it('include headers and the raw body on request', async () => {
    const full = await bench.publish({ options: { includeHeaders: true, includeRawBody: true } });
    await bench.deliver({}, full);
    const [[item] = []] = full.executions;
    expect(item?.json).toMatchObject({
      headers: { 'content-type': 'application/json' },
      rawBody: JSON.stringify(event),
    });
  });
});

it.each([
  [30, 20, 60],
  ["={{ '30' }}", 20, 60],
  ['soon', 890, 910],
])(
  'with a tolerance of %j, %d s are fine and %d s are not',
  async (toleranceSeconds, fine, late) => {
    const server = await bench.publish({ options: { toleranceSeconds } });
    expect((await bench.deliver({ age: fine }, server)).status).toBe(200);
    expect((await bench.deliver({ age: late }, server)).status).toBe(401);
  },
);

it('the previous secret is taken, however it was pasted', async () => {
  const screenAdvertisingWebhookApi = {
    signingSecret: 'new',
    previousSigningSecret: '\tcurrent-secret ',
  };
  const pasted = await bench.publish({}, { stored: { screenAdvertisingWebhookApi } });
  expect((await bench.deliver({}, pasted)).status).toBe(200);
  expect((await bench.deliver({ secret: 'another' }, pasted)).status).toBe(401);
});

it.each<[string, StoredCredentials]>([
  ['with a blank secret', { screenAdvertisingWebhookApi: { signingSecret: ' \n' } }],
  ['without a credential', {}],
])(
  'a trigger %s refuses everything, so that the service delivers again later',
  async (_name, stored) => {
    const closed = await bench.publish({}, { stored });
    const response = await bench.deliver({}, closed);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      detail:
        'The receiver is not set up to check the signature. Its signing secret, credential or options need attention.',
    });
    expect(closed.executions).toEqual([]);
  },
);

it('a stranger who poses as the relay is not trusted', async () => {
  const headers = { 'webhook-id': 'evt_other', 'x-relay-test': 'sample' };
  for (let time = 0; time < 2; time += 1) await bench.deliver({ headers });
  expect(bench.server.executions.map(([item]) => item?.json.id)).toEqual([event.id]);
});
