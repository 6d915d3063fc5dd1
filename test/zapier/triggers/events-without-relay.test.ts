import { describe, expect, it } from '@jest/globals';
import { events, signWebhook } from '@screen-advertising/core';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import { eventNames } from '../../support/catalogue-names.ts';
import { headerOf, schemeSecret, schemes, signsTime } from '../../support/signature-schemes.ts';
import { definitionOf } from '../app/definition.ts';
import { createZapierRunner, readZapierError } from '../app/zapier.ts';

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

function deliver(
  content: string,
  headers: Record<string, string>,
  key = 'coupon_redeemed_manual_setup',
) {
  return runner.hook(key, { headers, content });
}

async function refusal(content: string, headers: Record<string, string>) {
  return deliver(content, headers).then(
    () => 'accepted',
    (error: unknown) => readZapierError(error),
  );
}

describe('a signed delivery', () => {
  it.each(eventNames)('of %s starts its trigger', async (name) => {
    const event = events[name];
    const content = JSON.stringify({ id: 'evt_1', type: event.name, data: event.sample });
    const key = `${event.name.replaceAll('.', '_')}_manual_setup`;
    const records = await deliver(content, { 'X-Service-Signature': sign(content) }, key);
    expect(records).toEqual([
      { id: 'evt_1', type: event.name, data: withCurrencyAmounts(event.sample) },
    ]);
  });

  it.each(['Http-X-Service-Signature', 'x-service-signature'])(
    'is found with the header written %s',
    async (name) => {
      expect(await deliver(body, { [name]: sign(body) })).toHaveLength(1);
    },
  );

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
    expect(await deliver(body, headers, 'user_registered_manual_setup')).toEqual([]);
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
    expect(triggers.campaign_paid_manual_setup?.operation.outputFields).toEqual([
      { key: 'id', label: 'Event ID', type: 'string', primary: true },
      { key: 'type', label: 'Type', type: 'string' },
      { key: 'data__campaign_id', label: 'Campaign ID', type: 'string' },
      { key: 'data__user_id', label: 'User ID', type: 'string' },
      { key: 'data__amount', label: 'Amount in Currency Units', type: 'number' },
      { key: 'data__amount_cents', label: 'Amount in Cents', type: 'number' },
      { key: 'data__paid_at', label: 'Paid At', type: 'datetime' },
    ]);
  });

  it('labels the ID of its record apart from Event ID', async () => {
    const { triggers } = await definitionOf('private');
    const field = { key: 'data__id', label: 'Campaign Request ID', type: 'string' };
    expect(triggers.campaign_request_rejected_manual_setup?.operation.outputFields).toContainEqual(
      field,
    );
  });
});

const mismatch =
  'The signature matches none of the signing secrets, in any known scheme. Check that the secret belongs to this access and that nothing changed the body.';

describe('a delivery that cannot be trusted', () => {
  it('halts the run without a signature, as a stranger sends it', async () => {
    expect(await refusal(body, {})).toEqual({
      name: 'HaltedError',
      message:
        'The delivery has no x-service-signature header, so it did not come from the service.',
    });
  });

  it.each([
    ['signed with another secret', body, sign(body, { secret: 'whsec_other' }), mismatch],
    [
      'signed, but not JSON',
      '{',
      sign('{'),
      'The body of the delivery cannot be read: it is not JSON.',
    ],
  ])('%s fails, so that its owner hears of it', async (_what, content, signature, message) => {
    expect(await refusal(content, { 'X-Service-Signature': signature })).toEqual({
      name: 'AppError',
      code: 'webhook_verification_failed',
      message,
    });
  });
});

it('a delivery to a connection without a signing secret fails, so that its owner hears of it', async () => {
  const bare = runnerWith({});
  const delivery = { headers: { 'X-Service-Signature': sign(body) }, content: body };
  const error = await bare.hook('coupon_redeemed_manual_setup', delivery).catch(readZapierError);
  expect(error).toEqual({
    name: 'AppError',
    code: 'invalid_configuration',
    message:
      'The delivery was rejected because the connection has no signing secret. Paste the secret from the Screen Advertising team into Signing Secret of the connection.',
  });
});

it('a run without a delivery, as on Zapier’s command line, says that there are no examples', async () => {
  expect(await runner.poll('coupon_redeemed_manual_setup').catch(readZapierError)).toEqual({
    name: 'HaltedError',
    message:
      'Coupon Redeemed (Manual Setup) has no examples: only a delivery to the address that Zapier gave the Zap starts it. Choose the trigger without "(Manual Setup)" to see the events of a relay.',
  });
});

describe('the signature of a connection', () => {
  const receive = (fields: Record<string, string>, age: number) =>
    runnerWith({ signing_secret: secret, ...fields })
      .hook('coupon_redeemed_manual_setup', {
        headers: { 'X-Service-Signature': sign(body, { age }) },
        content: body,
      })
      .catch(readZapierError);

  it('may be as old as the connection says', async () => {
    expect(await receive({}, 1300)).toMatchObject({
      name: 'AppError',
      message: expect.stringMatching(
        /^The delivery was signed 130\d s in the past, but the tolerance is 1200 s\./,
      ),
    });
    expect(await receive({ signature_tolerance: '1400' }, 1300)).toHaveLength(1);
  });

  it('cannot be as old as "a day"', async () => {
    expect(await receive({ signature_tolerance: 'a day' }, 0)).toMatchObject({
      name: 'AppError',
      message:
        'Signature Tolerance of the connection must be a whole number of seconds, such as 1200.',
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

describe('a service that signs in another way', () => {
  const log: string[] = [];
  const other = createZapierRunner({
    baseUrl: 'https://service.example/api/v1',
    credentials: { apiKey: 'svc_abc' },
    fields: { signing_secret: schemeSecret },
    event: {
      customLogger: (message: string, { log_type }: { readonly log_type: string }) =>
        log_type === 'console' && log.push(message.trim()),
    },
  });
  const receive = (content: string, signature: string) =>
    other
      .hook('coupon_redeemed_manual_setup', {
        headers: { 'X-Service-Signature': signature },
        content,
      })
      .catch(readZapierError);
  const [timed, untimed] = [schemes.findLast(signsTime), schemes.find((one) => !signsTime(one))];

  it('starts the Zap without a setting, and the log says when the time is not signed', async () => {
    if (!timed || !untimed) throw new Error('Some schemes sign the time, and others do not.');
    expect(await receive(body, headerOf(timed, now(), body))).toHaveLength(1);
    expect(log).toEqual([]);
    expect(await receive(body, headerOf(untimed, now(), body))).toHaveLength(1);
    expect(log).toEqual([
      'The signature of this delivery covers only the body, not the time. Anyone who recorded it can start the Zap with it again. Ask the Screen Advertising team to sign the time too. Until then, check the Event ID before a step that must run once.',
    ]);
  });
});
