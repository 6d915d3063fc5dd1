import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { events, signWebhook } from '@screen-advertising/core';
import { definitionOf } from '../app/definition.ts';
import { createZapierRunner } from '../app/runner.ts';
import { readZapierError } from '../app/zapier-error.ts';

const secret = 'whsec_current';
const previous = 'whsec_previous';
const body = JSON.stringify({
  id: 'evt_1',
  type: 'coupon.redeemed',
  data: { code: 'SPRING-25' },
});

function runnerWith(fields: Record<string, string>) {
  return createZapierRunner({
    baseUrl: 'https://service.example/api/v1',
    credentials: { apiKey: 'svc_abc' },
    fields,
  });
}

const runner = runnerWith({ signing_secret: secret, previous_signing_secret: previous });

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function sign(content: string, options: { secret?: string; age?: number } = {}): string {
  const timestamp = now() - (options.age ?? 0);
  return signWebhook({ body: content, secret: options.secret ?? secret, timestamp });
}

function deliver(content: string, headers: Record<string, string>, key = 'coupon_redeemed') {
  return runner.hook(key, { headers, content });
}

async function refusal(content: string, headers: Record<string, string>) {
  return deliver(content, headers).then(
    () => 'accepted',
    (error: unknown) => readZapierError(error),
  );
}

describe('a signed delivery', () => {
  it.each(Object.values(events))('of $name starts its trigger', async (event) => {
    const content = JSON.stringify({ id: 'evt_1', type: event.name, data: event.sample });
    const key = event.name.replaceAll('.', '_');
    const records = await deliver(content, { 'X-Service-Signature': sign(content) }, key);
    expect(records).toEqual([{ id: 'evt_1', type: event.name, data: event.sample }]);
  });

  it.each([
    'Http-X-Service-Signature',
    'HTTP-X-SERVICE-SIGNATURE',
    'X-Service-Signature',
    'x-service-signature',
    'X-SERVICE-SIGNATURE',
  ])('is found with the header written %s', async (name) => {
    expect(await deliver(body, { [name]: sign(body) })).toHaveLength(1);
  });

  it('signed with the secret before the current one is accepted', async () => {
    const headers = { 'X-Service-Signature': sign(body, { secret: previous }) };
    expect(await deliver(body, headers)).toHaveLength(1);
  });

  it('that was held for as long as the service retries it, and longer, is accepted', async () => {
    const headers = { 'X-Service-Signature': sign(body, { age: 1190 }) };
    expect(await deliver(body, headers)).toHaveLength(1);
  });

  it('of another event starts nothing', async () => {
    const headers = { 'X-Service-Signature': sign(body) };
    expect(await deliver(body, headers, 'user_registered')).toEqual([]);
  });

  it('of an event that this version does not know starts nothing', async () => {
    const content = JSON.stringify({ id: 'evt_1', type: 'screen.sold', data: {} });
    expect(await deliver(content, { 'X-Service-Signature': sign(content) })).toEqual([]);
  });

  it.each([
    ['the name under "event"', { id: 'evt_1', event: 'coupon.redeemed', data: { code: 'A' } }],
    [
      'the id under "event_id"',
      { event_id: 'evt_1', type: 'coupon.redeemed', data: { code: 'A' } },
    ],
    [
      'other names for all of it',
      { delivery_id: 'evt_1', event_type: 'coupon.redeemed', payload: { code: 'A' } },
    ],
  ])('is read with %s', async (_variant, payload) => {
    const content = JSON.stringify(payload);
    const records = await deliver(content, { 'X-Service-Signature': sign(content) });
    expect(records).toEqual([{ id: 'evt_1', type: 'coupon.redeemed', data: { code: 'A' } }]);
  });

  it('without an ID gets one that is the same for each of its deliveries, and differs from other events', async () => {
    const idOf = async (content: string, age: number) => {
      const [record] = await deliver(content, { 'X-Service-Signature': sign(content, { age }) });
      return record?.id;
    };
    const content = JSON.stringify({ type: 'coupon.redeemed', code: 'A' });
    const other = JSON.stringify({ type: 'coupon.redeemed', code: 'B' });
    const id = await idOf(content, 0);
    expect(await idOf(content, 5)).toBe(id);
    expect(await idOf(other, 0)).not.toBe(id);
  });
});

describe('the data of an event', () => {
  it('has a field for each part, whose label names the unit and whose type recognizes times', async () => {
    const { triggers } = await definitionOf('private');
    expect(triggers.campaign_paid?.operation.outputFields).toEqual([
      { key: 'id', label: 'Event ID', type: 'string', primary: true },
      { key: 'type', label: 'Type', type: 'string' },
      { key: 'data__campaign_id', label: 'Campaign ID', type: 'string' },
      { key: 'data__user_id', label: 'User ID', type: 'string' },
      { key: 'data__amount_cents', label: 'Amount in Cents', type: 'number' },
      { key: 'data__paid_at', label: 'Paid At', type: 'datetime' },
    ]);
  });

  it('labels the ID of its record apart from Event ID', async () => {
    const { triggers } = await definitionOf('private');
    const field = { key: 'data__id', label: 'Campaign Request ID', type: 'string' };
    expect(triggers.campaign_request_rejected?.operation.outputFields).toContainEqual(field);
  });
});

describe('a delivery that cannot be trusted halts the run', () => {
  it.each([
    [
      'without a signature',
      body,
      {},
      'The delivery has no x-service-signature header, so it did not come from the service.',
    ],
    [
      'whose body was changed',
      body.replace('SPRING', 'SUMMER'),
      { 'X-Service-Signature': sign(body) },
      'The signature matches none of the signing secrets. Check that the secret belongs to this access and that nothing changed the body.',
    ],
    [
      'signed with another secret',
      body,
      { 'X-Service-Signature': sign(body, { secret: 'whsec_other' }) },
      'The signature matches none of the signing secrets. Check that the secret belongs to this access and that nothing changed the body.',
    ],
    [
      'whose signature cannot be read',
      body,
      { 'X-Service-Signature': 'v1=abc' },
      'The header x-service-signature cannot be read: it has no t. Expected t=<unix seconds>,v1=<hex>.',
    ],
  ])('%s', async (_what, content, headers, message) => {
    expect(await refusal(content, headers)).toEqual({ name: 'HaltedError', message });
  });

  it('signed too long ago', async () => {
    const error = await refusal(body, { 'X-Service-Signature': sign(body, { age: 1300 }) });
    expect(error).toMatchObject({
      name: 'HaltedError',
      message: expect.stringMatching(
        /^The delivery was signed 130\d s in the past, but the tolerance is 1200 s\./,
      ),
    });
  });

  it('signed, but not JSON', async () => {
    const error = await refusal('{', { 'X-Service-Signature': sign('{') });
    expect(error).toEqual({
      name: 'HaltedError',
      message: 'The body of the delivery cannot be read: it is not JSON.',
    });
  });
});

it('a delivery to a connection without a signing secret fails, so that its owner hears of it', async () => {
  const bare = runnerWith({});
  const delivery = { headers: { 'X-Service-Signature': sign(body) }, content: body };
  const error = await bare.hook('coupon_redeemed', delivery).catch(readZapierError);
  expect(error).toEqual({
    name: 'AppError',
    code: 'invalid_configuration',
    message:
      'The delivery was rejected because the connection has no signing secret. Paste the secret from the Screen Advertising team into Signing Secret of the connection.',
  });
});

describe('the signature of a connection', () => {
  const signedWith = (algorithm: 'sha1' | 'sha256' | 'sha512', age = 0) => {
    const timestamp = now() - age;
    const digest = createHmac(algorithm, secret).update(`${timestamp}.${body}`).digest('hex');
    return { 'X-Service-Signature': `t=${timestamp},v1=${digest}` };
  };
  const receive = (fields: Record<string, string>, headers: Record<string, string>) =>
    runnerWith({ signing_secret: secret, ...fields })
      .hook('coupon_redeemed', { headers, content: body })
      .catch(readZapierError);

  it.each(['sha1', 'sha256', 'sha512'] as const)('may be made with %s', async (algorithm) => {
    const headers = signedWith(algorithm);
    expect(await receive({ signature_algorithm: algorithm }, headers)).toHaveLength(1);
    const other = algorithm === 'sha1' ? 'sha256' : 'sha1';
    expect(await receive({ signature_algorithm: other }, headers)).toMatchObject({
      name: 'HaltedError',
    });
  });

  it('may be as old as the connection says', async () => {
    const headers = signedWith('sha256', 1300);
    expect(await receive({}, headers)).toMatchObject({
      name: 'HaltedError',
      message: expect.stringMatching(/ but the tolerance is 1200 s\./),
    });
    expect(await receive({ signature_tolerance: '1400' }, headers)).toHaveLength(1);
  });

  it.each([
    [
      'signature_algorithm',
      'md5',
      'Signature Algorithm of the connection must be SHA-1, SHA-256, SHA-384 or SHA-512.',
    ],
    [
      'signature_tolerance',
      'a day',
      'Signature Tolerance of the connection must be a whole number of seconds, such as 1200.',
    ],
  ])('cannot have another %s', async (field, value, message) => {
    expect(await receive({ [field]: value }, signedWith('sha256'))).toMatchObject({
      name: 'AppError',
      message,
    });
  });
});

it('no trigger without a relay lists examples: no list holds the payload of an event', async () => {
  const { triggers } = await definitionOf('private');
  const listing = Object.values(triggers).filter(
    ({ operation }) => operation.performList && !operation.performSubscribe,
  );
  expect(listing).toEqual([]);
});
