import { describe, expect, it } from '@jest/globals';
import { parseEvent, verifySignature, verifyWebhook } from '@screen-advertising/core';
import type { AssumptionVariants } from '@screen-advertising/core/contract';
import { createSandbox } from '@screen-advertising/sandbox';
import { assumedVariants } from '../support/assumed-variants.ts';
import { nameOf, schemes } from '../support/signature-schemes.ts';
import { startReceiver } from './support/receiver.ts';
import { problemDetail, start } from './support/running-sandbox.ts';

const { any, stringMatching } = expect;
const lead = '/users/lookup?email=lead@example.com';
const requests = '/campaign-requests';
const last = '/screens?limit=9';
const page = { has_more: false, total_count: 3 };

// What varies in one way alone shows in test/cli/doctor/variants.test.ts.
describe('the variant of a response', () => {
  it.each<[Partial<AssumptionVariants>, string, unknown]>([
    [{ userLookup: 'data' }, lead, { data: expect.not.objectContaining({ exists: true }) }],
    [{ userLookup: 'data-with-exists' }, lead, { data: expect.objectContaining({ exists: true }) }],
    [{ userLookup: 'bare' }, lead, expect.objectContaining({ user_id: 'usr_0001' })],
    // The contract shows the response for an unknown user, so it never varies.
    [{ userLookup: 'bare' }, '/users/lookup?email=a@b.de', { data: { exists: false } }],
    [{ campaignRequestList: 'paginated' }, requests, { data: any(Array), pagination: any(Object) }],
    [{ campaignRequestList: 'data' }, requests, { data: any(Array) }],
    [{ campaignRequestList: 'bare' }, requests, any(Array)],
    [{ lastCursor: 'null' }, last, { data: any(Array), pagination: { ...page, cursor: null } }],
    [{ lastCursor: 'absent' }, last, { data: any(Array), pagination: page }],
    [{ lastCursor: 'empty' }, last, { data: any(Array), pagination: { ...page, cursor: '' } }],
  ])('%j: %s', async (variants, path, expected) => {
    const { read } = await start({ screens: 3, variants });
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
});

describe('the variant of a status', () => {
  it.each(['400', '403'] as const)('refusedCredentials: %s', async (refusedCredentials) => {
    const { call } = await start({ variants: { refusedCredentials } });
    const body = { client_id: 'sandbox-full', client_secret: 'wrong' };
    problemDetail(await call('POST', '/oauth/token', { body }), Number(refusedCredentials));
  });

  it('invalidParameter: 422, but 400 where the contract says so', async () => {
    const { call } = await start({ variants: { invalidParameter: '422' } });
    const coupon = { discount_type: 'percent', lead_email: 'a@example.com' };
    for (const [discount_value, status] of [
      [101, 400],
      [0, 422],
    ] as const) {
      const body = { ...coupon, discount_value };
      problemDetail(await call('POST', '/coupons', { body }), status);
    }
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

  it.each<[Partial<AssumptionVariants>, object]>([
    [{}, standard],
    ...(['event', 'event_type', 'event_name', 'topic'] as const).map(
      (eventName): [Partial<AssumptionVariants>, object] => [
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
    const assumed = Object.entries(assumedVariants).map(([name, [first]]) => [name, first]);
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

it.each(schemes.map((scheme) => [nameOf(scheme), scheme] as const))(
  'deliveries are signed with %s',
  async (_name, scheme) => {
    const word = scheme.signedContent.replace('\n', '-newline-').replace(/[{}]/g, '');
    const variants = { signatureScheme: [scheme.key, word, scheme.algorithm].join(',') };
    const { sandbox, full } = await start({ variants });
    const receiver = await startReceiver();
    sandbox.webhooks.add({ url: receiver.url });
    await sandbox.fire('campaign.paid');
    const { body = '', headers } = receiver.arrivals[0] ?? {};
    const signature = headers?.['x-service-signature'];
    const options = { secrets: [full.signingSecret], now: () => sandbox.clock.now(), scheme };
    expect(verifyWebhook({ body, signature, ...options }).type).toBe('campaign.paid');
  },
);

it.each(['md5', 'sha256,sha512', 'body,t.body', 'hex,text', 'sha512, body', ''])(
  'a scheme must be made of known words, at most one of each kind, not %j',
  (signatureScheme) => {
    expect(() => createSandbox({ variants: { signatureScheme } })).toThrow(
      `variant signatureScheme must be at most one of sha1, sha256, sha384, sha512, of t.body, tbody, body, body.t, bodyt, t:body, t-newline-body, v1:t:body, v1.t.body, and of text, unprefixed, base64, hex, joined with commas, such as sha512,body,hex; not ${signatureScheme}.`,
    );
  },
);

it('a scheme must fit the secrets that you set', () => {
  const [access] = createSandbox().accesses;
  const options = { accesses: [access] as const, variants: { signatureScheme: 'hex' } };
  expect(() => createSandbox(options)).toThrow(
    'accesses: the signingSecret of full cannot be read as hex, as the variant signatureScheme says.',
  );
});
