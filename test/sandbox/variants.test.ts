import { describe, expect, it } from '@jest/globals';
import { parseEvent, verifySignature } from '@screen-advertising/core';
import { assumptions, type Variants } from '@screen-advertising/core/contract';
import { createSandbox } from '@screen-advertising/sandbox';
import { startReceiver } from './support/receiver.ts';
import { problemDetail, start } from './support/running-sandbox.ts';

const coupon = {
  discount_type: 'percent',
  discount_value: 5,
  lead_email: 'a@example.com',
  code: 'C',
};
const { any, stringMatching } = expect;
const lead = '/users/lookup?email=lead@example.com';
const requests = '/campaign-requests';
const last = '/screens?limit=9';

describe('the variant of a response', () => {
  it.each<[Partial<Variants>, string, unknown]>([
    [{ singleRecord: 'data' }, '/screens/scr_berlin_0001', { data: any(Object) }],
    [{ singleRecord: 'data' }, '/campaign-requests/cr_0001', { data: any(Object) }],
    [{ singleRecord: 'data' }, '/coupons/C', { data: any(Object) }],
    [{ userLookup: 'data' }, lead, { data: expect.objectContaining({ exists: true }) }],
    [
      { userLookup: 'data-without-exists' },
      lead,
      { data: expect.not.objectContaining({ exists: true }) },
    ],
    [{ userLookup: 'bare' }, lead, expect.objectContaining({ user_id: 'usr_0001' })],
    // The contract shows the response for an unknown user, so it never varies.
    [{ userLookup: 'bare' }, '/users/lookup?email=a@b.de', { data: { exists: false } }],
    [{ campaignRequestList: 'paginated' }, requests, { data: any(Array), pagination: any(Object) }],
    [{ campaignRequestList: 'data' }, requests, { data: any(Array) }],
    [{ campaignRequestList: 'bare' }, requests, any(Array)],
    [
      { lastCursor: 'null' },
      last,
      { data: any(Array), pagination: { cursor: null, has_more: false, total_count: 3 } },
    ],
    [
      { lastCursor: 'absent' },
      last,
      { data: any(Array), pagination: { has_more: false, total_count: 3 } },
    ],
    [
      { lastCursor: 'empty' },
      last,
      { data: any(Array), pagination: { cursor: '', has_more: false, total_count: 3 } },
    ],
  ])('%j: %s', async (variants, path, expected) => {
    const { call, read } = await start({ screens: 3, variants });
    await call('POST', '/coupons', { body: coupon });
    expect(await read(path)).toEqual(expected);
  });

  it('lastCursor: the last page may have the cursor that led to it', async () => {
    const { read } = await start({ screens: 3, variants: { lastCursor: 'repeated' } });
    const first = await read<{ pagination: { cursor: string } }>('/screens?limit=2');
    const { cursor } = first.pagination;
    expect(await read(`/screens?limit=2&cursor=${cursor}`)).toMatchObject({
      pagination: { cursor, has_more: false },
    });
  });

  it('revokeAnswer empty: status 204 without a body', async () => {
    const { call, read } = await start({ variants: { revokeAnswer: 'empty' } });
    await call('POST', '/coupons', { body: coupon });
    const reply = await call('POST', '/coupons/C/revoke');
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await read('/coupons/C')).toMatchObject({ status: 'revoked' });
  });
});

describe('the variant of a status', () => {
  const wrong = { client_id: 'sandbox-full', client_secret: 'wrong' };

  it.each<[Partial<Variants>, number, string, object?]>([
    [{ refusedCredentials: '400' }, 400, 'POST /oauth/token', wrong],
    [{ refusedCredentials: '403' }, 403, 'POST /oauth/token', wrong],
    [{ invalidToken: '403' }, 403, 'GET /screens'],
    [{ invalidParameter: '422' }, 422, 'GET /screens?limit=0'],
    [{ invalidParameter: '422' }, 422, 'GET /screens?bbox=1'],
    [{ invalidParameter: '422' }, 422, 'GET /screens?cursor=nonsense'],
    [{ invalidParameter: '422' }, 422, 'GET /campaign-requests?from=monday'],
    [{ invalidParameter: '422' }, 422, 'POST /coupons', {}],
    // For this, the contract says 400.
    [{ invalidParameter: '422' }, 400, 'POST /coupons', { ...coupon, discount_value: 101 }],
  ])('%j: %d for %s', async (variants, status, line, ...[body]) => {
    const { call, full } = await start({ variants });
    const [method = '', path = ''] = line.split(' ');
    const token = variants.invalidToken ? 'svc_unknown' : full.apiKey;
    const reply = await call(method, path, { token, ...(body && { body }) });
    expect(problemDetail(reply, status)).toMatch(/./);
  });
});

describe('the variant of a delivery', () => {
  const standard = {
    id: stringMatching(/^evt_[0-9a-f-]{36}$/),
    type: 'campaign_request.rejected',
    created_at: '2027-03-01T09:00:00.000Z',
    data: {
      id: 'cr_0001',
      status: 'rejected',
      industry: any(String),
      email: 'lead@example.com',
      rejected_at: '2027-03-01T09:00:00.000Z',
    },
  };
  const { type, id, data, ...rest } = standard;

  it.each<[Partial<Variants>, object]>([
    [{}, standard],
    ...(['event', 'event_type', 'event_name', 'topic'] as const).map(
      (eventName): [Partial<Variants>, object] => [
        { eventName },
        { ...rest, id, data, [eventName]: type },
      ],
    ),
    [{ eventId: 'event_id' }, { ...rest, type, data, event_id: id }],
    [{ eventId: 'delivery_id' }, { ...rest, type, data, delivery_id: id }],
    [{ eventId: 'absent' }, { ...rest, type, data }],
    [{ eventData: 'payload' }, { ...rest, id, type, payload: data }],
    // The record keeps its own ID.
    [{ eventData: 'flat' }, { ...rest, type, ...data }],
  ])('%j', async (variants, expected) => {
    const { sandbox } = await start({ variants });
    const receiver = await startReceiver();
    sandbox.webhooks.add({ url: receiver.url });
    await sandbox.fire('campaign_request.rejected', { id: 'cr_0001' });
    expect(JSON.parse(receiver.arrivals[0]?.body ?? '')).toEqual(expected);
  });

  it('eventData flat: a field of the record does not hide the event name', async () => {
    const { sandbox } = await start({ variants: { eventData: 'flat' } });
    const receiver = await startReceiver();
    sandbox.webhooks.add({ url: receiver.url });
    await sandbox.fire('campaign.paid', { type: 'led', city: 'Berlin' });
    const body = JSON.parse(receiver.arrivals[0]?.body ?? '');
    expect(body).toMatchObject({ type: 'campaign.paid', city: 'Berlin' });
  });

  it.each([
    ['first-attempt', [0, 0]],
    ['each-attempt', [0, 1]],
  ] as const)('signatureTimestamp %s: %j seconds later', async (signatureTimestamp, seconds) => {
    const { sandbox, full } = await start({ variants: { signatureTimestamp } });
    const receiver = await startReceiver([500]);
    sandbox.webhooks.add({ url: receiver.url });
    await sandbox.fire('campaign.paid');
    await sandbox.clock.advance(1000);
    const startedAt = Date.parse('2027-03-01T09:00:00Z') / 1000;
    const times = receiver.arrivals.map(({ headers, body }) => {
      const signature = String(headers['x-service-signature']);
      const secrets = [full.signingSecret];
      verifySignature({ body, signature, secrets, now: () => sandbox.clock.now() });
      expect(parseEvent(body).type).toBe('campaign.paid');
      return Number(/^t=(\d+),/.exec(signature)?.[1]) - startedAt;
    });
    expect(times).toEqual(seconds);
  });
});

describe('variants', () => {
  it('are the assumed ones by default', () => {
    const { variants } = createSandbox({ variants: { eventId: 'absent' } });
    const assumed = Object.entries(assumptions).map(([name, { accepted }]) => [name, accepted[0]]);
    expect(variants).toEqual({ ...Object.fromEntries(assumed), eventId: 'absent' });
  });

  it('that are unknown are rejected with a list of known ones', () => {
    expect(() => createSandbox({ variants: { lastCursor: 'none' as 'null' } })).toThrow(
      'variant lastCursor must be one of null, absent, empty, repeated, not none.',
    );
    expect(() => createSandbox({ variants: { cursor: 'null' } as object })).toThrow(
      'Unknown variant cursor. Known: singleRecord, userLookup,',
    );
  });
});
