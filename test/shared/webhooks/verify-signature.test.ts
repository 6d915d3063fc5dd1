import { describe, expect, it } from '@jest/globals';
import {
  ScreenAdvertisingError,
  signWebhook,
  verifySignature,
  verifyWebhook,
} from '@screen-advertising/core';
import {
  body,
  hex,
  hmac,
  honest,
  loosely,
  refusalOf,
  secret,
  signature,
  time,
  utf8,
  verify,
  withHeader,
} from './delivery.ts';

const now = () => time * 1000;
const options = { body, signature, secrets: [secret], now };

describe('an honest delivery', () => {
  it.each<[string, Uint8Array | string]>([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['a view into a larger buffer', Buffer.from(`##${body}##`).subarray(2, -2)],
    ['an empty text', ''],
    ['empty bytes', new Uint8Array(0)],
    ['bytes that are not UTF-8', Uint8Array.from([0xff, 0x00, 0xc3, 0x28])],
    ['text beyond ASCII', '{"city":"Łódź 🎬"}'],
    ['text that holds the replacement character', '{"city":"\uFFFD"}'],
  ])('is accepted as %s', (_name, raw) => {
    expect(() => verify(honest(raw))).not.toThrow();
  });

  it('is the same as text, as bytes, and in an ArrayBuffer', () => {
    for (const received of [utf8(body), Uint8Array.from(utf8(body)).buffer]) {
      expect(() => verifySignature({ ...options, body: received })).not.toThrow();
    }
  });

  it.each([
    ['a space after the comma', `t=${time}, v1=${hex}`],
    ['white space around the header', ` t=${time},v1=${hex}\t`],
    ['the other order', `v1=${hex},t=${time}`],
    ['a scheme this version does not know', `t=${time},v0=${'0'.repeat(64)},v1=${hex},v2=x`],
    ['a wrong v1 before the right one', `t=${time},v1=${'0'.repeat(64)},v1=${hex}`],
    ['a wrong v1 after the right one', `t=${time},v1=${hex},v1=${'0'.repeat(64)}`],
    ['an unreadable v1 before the right one', `t=${time},v1=,v1=nothing,v1,v1=${hex}`],
    ['sixteen signatures', `t=${time},${'v1=00,'.repeat(15)}v1=${hex}`],
    ['an empty element', `t=${time},,v1=${hex},`],
    ['4096 characters', signature.padEnd(4096, ',')],
  ])('is accepted with %s in the header', (_name, header) => {
    expect(withHeader(header)).toBeUndefined();
  });

  it('signs the timestamp exactly as in the header', () => {
    expect(withHeader(`t=0${time},v1=${hmac(`0${time}.${body}`)}`)).toBeUndefined();
    expect(withHeader(`t=0${time},v1=${hex}`)?.reason).toBe('signature_mismatch');
  });
});

describe('a body that was not signed', () => {
  const check = 'Check that the secret belongs to this access and that nothing changed the body.';
  const bytes = Uint8Array.from([0x22, 0xff, 0x22]);
  const lossy = 'Decoding changed the body: pass bytes instead of text.';
  const encoded = 'The body is still in base64: decode it first.';
  const indented = '{\n  "type": "campaign.paid"\n}';

  it.each<[string, Uint8Array | string, Uint8Array | string, string]>([
    ['another body', body, '{"type":"campaign.free"}', ''],
    ['a byte order mark before it', body, `\uFEFF${body}`, ''],
    ['other bytes that decode to the same text', bytes, Uint8Array.from([0x22, 0xfe, 0x22]), ''],
    ['its own JSON in another form', '{ "type": "campaign.paid" }', body, ''],
    ['text that lost some bytes', bytes, new TextDecoder().decode(bytes), lossy],
    ['half a surrogate pair, which looks alike as UTF-8', '"\uFFFD"', '"\uD800"', lossy],
    ['base64, as AWS Lambda passes it', body, Buffer.from(body).toString('base64'), encoded],
    ['base64 of indented JSON', indented, Buffer.from(indented).toString('base64'), encoded],
  ])('is refused: %s', (_name, signed, received, hint) => {
    const refusal = refusalOf(() => verify({ ...honest(signed), body: received }));
    expect(refusal?.reason).toBe('signature_mismatch');
    expect(refusal?.message.replace(', in any known scheme', '')).toBe(
      `The signature matches none of the signing secrets. ${hint ? `${hint} ` : ''}${check}`,
    );
  });
});

describe('secrets', () => {
  it.each([[[` ${secret}`]], [[`${secret}\n`]], [['old', ` ${secret}`]]])(
    'hint at white space around one of %j',
    (secrets) => {
      expect(refusalOf(() => verify(honest(), secrets))?.message).toBe(
        'The signature matches none of the signing secrets, in any known scheme. A secret starts or ends with white space: paste it again without it. Check that the secret belongs to this access and that nothing changed the body.',
      );
    },
  );

  it('may hold white space when the service signs with it', () => {
    const spaced = ' a secret ';
    const header = signWebhook({ body, secret: spaced, timestamp: time });
    expect(() => verify({ body, signature: header }, [spaced])).not.toThrow();
  });

  it('never appear in an error, and neither do signature and body', () => {
    const refusal = refusalOf(() =>
      verify({ ...honest(), body: 'foreign body' }, [secret, 'second secret']),
    );
    const shown = `${refusal?.stack}${JSON.stringify(refusal)}`;
    expect(shown).toContain('matches none of the signing secrets');
    for (const hidden of [secret, 'second secret', hex, 'foreign body'])
      expect(shown).not.toContain(hidden);
  });
});

describe('the time of a delivery', () => {
  const arriving = (secondsLater: number, toleranceSeconds?: number) =>
    refusalOf(() =>
      verifySignature({ ...options, toleranceSeconds, now: () => (time + secondsLater) * 1000 }),
    );

  it.each([0, 756, 900, 900.9, -900])('is accepted %p s after it was signed', (seconds) => {
    expect(arriving(seconds)).toBeUndefined();
  });

  it.each([
    [901, '901 s in the past'],
    [-901, '901 s in the future'],
  ])('is refused %p s after it was signed', (seconds, distance) => {
    expect(arriving(seconds)).toMatchObject({
      reason: 'timestamp_out_of_tolerance',
      message: `The delivery was signed ${distance}, but the tolerance is 900 s. If it is not a replay, check the clock of this machine.`,
    });
  });

  it('follows the tolerance of the receiver, both ways', () => {
    const late = [60, 61, -61].map((seconds) => arriving(seconds, 60)?.reason);
    expect(late).toEqual([undefined, 'timestamp_out_of_tolerance', 'timestamp_out_of_tolerance']);
    expect(arriving(0.9, 0)).toBeUndefined();
    expect(arriving(1, 0)?.reason).toBe('timestamp_out_of_tolerance');
  });

  it('is too far in the future in milliseconds', () => {
    expect(withHeader(signature.replace(/\d+/, `${time}000`))?.reason).toBe(
      'timestamp_out_of_tolerance',
    );
  });

  it("is compared with the machine's time when no clock is given", () => {
    const signedAt = (timestamp: number) =>
      refusalOf(() =>
        verifySignature({
          body,
          signature: signWebhook({ body, secret, timestamp }),
          secrets: [secret],
        }),
      )?.reason;
    const seconds = Math.floor(Date.now() / 1000);
    expect(signedAt(seconds)).toBeUndefined();
    expect(signedAt(seconds - 86_400)).toBe('timestamp_out_of_tolerance');
  });
});

describe('a wrong argument is an error of this package, with a code and a reason', () => {
  const list = 'secrets must be a list with at least one signing secret.';
  const empty = 'Each secret must be text that is not empty.';
  const raw =
    "body must be the raw bytes or text of the request, read before a JSON parser runs. If it is empty, pass ''.";
  const clock = 'now must be a function that returns milliseconds since 1970.';
  it.each<[Record<string, unknown>, string]>([
    [{ secrets: [] }, list],
    [{ secrets: undefined }, list],
    [{ secrets: secret }, list],
    [{ secrets: [secret, ''] }, empty],
    [{ secrets: [secret, ' '] }, empty],
    [{ secrets: [secret, utf8(secret)] }, empty],
    [{ body: undefined }, raw],
    [{ body: { type: 'campaign.paid' } }, raw],
    [{ body: new Map() }, raw],
    ...[Number.NaN, -1, Number.POSITIVE_INFINITY, '900', null].map(
      (toleranceSeconds): [Record<string, unknown>, string] => [
        { toleranceSeconds },
        'toleranceSeconds must be a number of seconds, 0 or more.',
      ],
    ),
    [{ now: () => Number.NaN }, clock],
    [{ now: () => 'soon' }, clock],
    [{ now: time * 1000 }, clock],
  ])('%p', (change, message) => {
    const refusal = refusalOf(() => loosely(verifySignature)({ ...options, ...change }));
    expect(refusal).toMatchObject({
      name: 'WebhookVerificationError',
      code: 'webhook_verification_failed',
      reason: 'invalid_argument',
      isRetryable: false,
      message,
    });
    expect(ScreenAdvertisingError.isInstance(refusal)).toBe(true);
  });

  it.each([
    [
      verifySignature,
      'tolerance',
      'verifySignature has no option tolerance, only body, signature, headers, secrets, toleranceSeconds, now, scheme.',
    ],
    [
      verifyWebhook,
      'secret',
      'verifySignature has no option secret, only body, signature, headers, secrets, toleranceSeconds, now, scheme.',
    ],
  ])('an option that does not exist: %p, %s', (verify, name, message) => {
    const refusal = refusalOf(() => loosely(verify)({ ...options, [name]: 300 }));
    expect(refusal).toMatchObject({ reason: 'invalid_argument', message });
  });

  it.each([[undefined], [null], ['options'], [[]]])('options that are %j', (given) => {
    const message = 'verifySignature needs an object of options.';
    expect(refusalOf(() => loosely(verifySignature)(given))?.message).toBe(message);
    expect(refusalOf(() => loosely(verifyWebhook)(given))?.reason).toBe('invalid_argument');
  });
});

describe('verifyWebhook', () => {
  it('returns the event of a signed delivery', () => {
    const event = { id: 'evt_1', type: 'campaign.paid', data: { amount_cents: 129900 } };
    expect(verifyWebhook({ ...options, ...honest(utf8(JSON.stringify(event))) })).toEqual({
      ...event,
      payload: event,
      scheme: { algorithm: 'sha256', signedContent: '{t}.{body}', key: 'text' },
    });
  });

  it('reads only a body that was signed, and says when that is not JSON', () => {
    const unsigned = { ...options, body: 'not even JSON' };
    expect(refusalOf(() => verifyWebhook(unsigned))?.reason).toBe('signature_mismatch');
    expect(refusalOf(() => verifyWebhook({ ...options, ...honest('<html>') }))).toMatchObject({
      reason: 'malformed_body',
      message: 'The body of the delivery cannot be read: it is not JSON.',
    });
  });
});
