import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  ScreenAdvertisingError,
  signWebhook,
  verifySignature,
  type WebhookFailureReason,
} from '@screen-advertising/core';
import { honest, loosely, refusalOf, secret, time, utf8, verify } from './delivery.ts';

const body = '{"type":"campaign.paid"}';
const { signature } = honest(body);
const hex = signature.slice(signature.indexOf('v1=') + 3);

/** Hex of a signature over exactly this text, whatever stands for the timestamp. */
const hmac = (content: string | Uint8Array, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(content).digest('hex');

const withHeader = (header: unknown) =>
  refusalOf(() =>
    loosely(verifySignature)({
      body,
      signature: header,
      secrets: [secret],
      now: () => time * 1000,
    }),
  );

describe('an honest delivery', () => {
  it.each<[string, Uint8Array | string]>([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['a plain Uint8Array', utf8(body)],
    ['a view into a larger buffer', Buffer.from(`##${body}##`).subarray(2, -2)],
    ['an empty text', ''],
    ['empty bytes', new Uint8Array(0)],
    ['bytes that are not UTF-8', Uint8Array.from([0xff, 0x00, 0xc3, 0x28])],
    ['text beyond ASCII', '{"city":"Łódź 🎬"}'],
    ['text that holds the replacement character', '{"city":"\uFFFD"}'],
  ])('is accepted as %s', (_name, raw) => {
    expect(() => verify(honest(raw))).not.toThrow();
  });

  it('is the same as text and as its bytes', () => {
    expect(() => verify({ body: utf8(body), signature })).not.toThrow();
  });

  it.each([
    ['a space after the comma', `t=${time}, v1=${hex}`],
    ['white space around the header', ` t=${time},v1=${hex}\t`],
    ['upper-case hex', `t=${time},v1=${hex.toUpperCase()}`],
    ['the other order', `v1=${hex},t=${time}`],
    ['a scheme this version does not know', `t=${time},v0=${'0'.repeat(64)},v1=${hex},v2=x`],
    ['a wrong v1 before the right one', `t=${time},v1=${'0'.repeat(64)},v1=${hex}`],
    ['a wrong v1 after the right one', `t=${time},v1=${hex},v1=${'0'.repeat(64)}`],
    ['an unreadable v1 before the right one', `t=${time},v1=,v1=nothing,v1,v1=${hex}`],
    ['sixteen signatures', `t=${time},${'v1=00,'.repeat(15)}v1=${hex}`],
    ['an empty element', `t=${time},,v1=${hex},`],
  ])('is accepted with %s in the header', (_name, header) => {
    expect(withHeader(header)).toBeUndefined();
  });

  it('signs the timestamp as it stands in the header', () => {
    expect(withHeader(`t=0${time},v1=${hmac(`0${time}.${body}`)}`)).toBeUndefined();
    expect(withHeader(`t=0${time},v1=${hex}`)?.reason).toBe('signature_mismatch');
  });
});

describe('a header that cannot be trusted', () => {
  const unreadable = (why: string) =>
    `The header x-service-signature cannot be read: ${why}. Expected t=<unix seconds>,v1=<hex>.`;
  const missing =
    'The delivery carries no header x-service-signature, so it does not come from the service.';

  it.each<[string, unknown, WebhookFailureReason, string]>([
    ['is missing', undefined, 'missing_signature', missing],
    ['is null', null, 'missing_signature', missing],
    ['is empty', '', 'missing_signature', missing],
    [
      'came twice',
      [signature, signature],
      'malformed_signature',
      unreadable('it came more than once'),
    ],
    [
      'came twice and was joined',
      `${signature}, ${signature}`,
      'malformed_signature',
      unreadable('it holds more than one t'),
    ],
    [
      'repeats the same t',
      `t=${time},t=${time},v1=${hex}`,
      'malformed_signature',
      unreadable('it holds more than one t'),
    ],
    [
      'puts an old t behind a new one',
      `t=${time},t=1,v1=${hex}`,
      'malformed_signature',
      unreadable('it holds more than one t'),
    ],
    ['holds no t', `v1=${hex}`, 'malformed_signature', unreadable('it holds no t')],
    ['is only white space', ' \t', 'malformed_signature', unreadable('it holds no t')],
    [
      'writes t in capitals',
      `T=${time},v1=${hex}`,
      'malformed_signature',
      unreadable('it holds no t'),
    ],
    [
      'has a t without a value',
      `t,v1=${hmac(`.${body}`)}`,
      'malformed_signature',
      unreadable('t is not a number of seconds in digits'),
    ],
    ['holds no v1', `t=${time}`, 'malformed_signature', unreadable('it holds no v1')],
    [
      'has only a scheme this version does not know',
      `t=${time},v0=${hex}`,
      'malformed_signature',
      unreadable('it holds no v1'),
    ],
    ...[
      ['an empty v1', 'v1='],
      ['a bare v1', 'v1'],
      ['a v1 that is too short', `v1=${hex.slice(1)}`],
      ['a v1 that is too long', `v1=${hex}0`],
      ['a v1 of 64 characters beyond ASCII', `v1=${'é'.repeat(64)}`],
      ['a v1 of 64 characters that are no hex', `v1=${'g'.repeat(64)}`],
      ['a v1 with a space inside', `v1= ${hex}`],
      ['a v1 in Base64', `v1=${Buffer.from(hex, 'hex').toString('base64')}`],
    ].map(([name, v1]): [string, unknown, WebhookFailureReason, string] => [
      `has ${name}`,
      `t=${time},${v1}`,
      'malformed_signature',
      unreadable('no v1 is a signature of 64 hex digits'),
    ]),
    [
      'has 17 signatures, the right one among them',
      `t=${time},v1=${hex}${',v1=00'.repeat(16)}`,
      'malformed_signature',
      unreadable('it holds more than 16 signatures'),
    ],
    [
      'has 100,000 signatures',
      `t=${time},v1=${hex}${`,v1=${hex}`.repeat(100_000)}`,
      'malformed_signature',
      unreadable('it is longer than 4096 characters'),
    ],
    [
      'is one character too long',
      `t=${time},v1=${hex}`.padEnd(4097, ','),
      'malformed_signature',
      unreadable('it is longer than 4096 characters'),
    ],
    ...[
      'NaN',
      `${time}abc`,
      `${time}.0`,
      `+${time}`,
      `-${time}`,
      '1.8e9',
      '0x6b49d200',
      '१',
      '',
    ].map((t): [string, unknown, WebhookFailureReason, string] => [
      `signs t=${t}`,
      `t=${t},v1=${hmac(`${t}.${body}`)}`,
      'malformed_signature',
      unreadable('t is not a number of seconds in digits'),
    ]),
    [
      'signs a t of 16 digits',
      `t=${'9'.repeat(16)},v1=${hmac(`${'9'.repeat(16)}.${body}`)}`,
      'malformed_signature',
      unreadable('t is not a number of seconds in digits'),
    ],
    ...[42, {}, new Map(), Symbol('header'), () => signature].map(
      (header): [string, unknown, WebhookFailureReason, string] => [
        `is of type ${typeof header}`,
        header,
        'invalid_argument',
        'signature must be the value of the header x-service-signature as text.',
      ],
    ),
  ])('is refused when it %s', (_name, header, reason, message) => {
    const refusal = withHeader(header);
    expect(refusal?.message).toBe(message);
    expect(refusal?.reason).toBe(reason);
  });

  it('is accepted at its full length', () => {
    expect(withHeader(`t=${time},v1=${hex}`.padEnd(4096, ','))).toBeUndefined();
  });
});

describe('the time of a delivery', () => {
  const arriving = (secondsLater: number, toleranceSeconds?: number) =>
    refusalOf(() =>
      verifySignature({
        body,
        signature,
        secrets: [secret],
        now: () => (time + secondsLater) * 1000,
        ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      }),
    );

  it.each([0, 756, 900, 900.9, -900])('is accepted %p s after it was signed', (seconds) => {
    expect(arriving(seconds)).toBeUndefined();
  });

  it.each([
    [901, '901 s in the past'],
    [-901, '901 s in the future'],
    [-86_400, '86400 s in the future'],
  ])('is refused %p s after it was signed', (seconds, distance) => {
    const refusal = arriving(seconds);
    expect(refusal?.reason).toBe('timestamp_out_of_tolerance');
    expect(refusal?.message).toBe(
      `The delivery was signed ${distance}, and the tolerance is 900 s. If it is no replay, check the clock of this machine.`,
    );
  });

  it('follows the tolerance of the receiver, both ways', () => {
    expect(arriving(60, 60)).toBeUndefined();
    expect(arriving(61, 60)?.reason).toBe('timestamp_out_of_tolerance');
    expect(arriving(-61, 60)?.reason).toBe('timestamp_out_of_tolerance');
    expect(arriving(0.9, 0)).toBeUndefined();
    expect(arriving(1, 0)?.reason).toBe('timestamp_out_of_tolerance');
  });

  it('refuses milliseconds as far in the future', () => {
    const header = signWebhook({ body, secret, timestamp: time }).replace(/\d+/, `${time}000`);
    expect(withHeader(header)?.reason).toBe('timestamp_out_of_tolerance');
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '900', null])(
    'is never left unchecked: a tolerance of %p is refused',
    (toleranceSeconds) => {
      const refusal = refusalOf(() =>
        loosely(verifySignature)({ body, signature, secrets: [secret], toleranceSeconds }),
      );
      expect(refusal?.reason).toBe('invalid_argument');
      expect(refusal?.message).toBe('toleranceSeconds must be a number of seconds, 0 or more.');
    },
  );

  it.each([() => Number.NaN, () => 'soon', time * 1000])('needs a clock, not %p', (now) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body, signature, secrets: [secret], now }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe('now must be a function that returns milliseconds since 1970.');
  });

  it("is the machine's own when no clock is given", () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const fresh = signWebhook({ body, secret, timestamp });
    expect(() => verifySignature({ body, signature: fresh, secrets: [secret] })).not.toThrow();
    expect(refusalOf(() => verifySignature({ body, signature, secrets: [secret] }))?.reason).toBe(
      'timestamp_out_of_tolerance',
    );
  });
});

describe('a body that was not signed', () => {
  const plain =
    'None of the secrets signed this body. Check that the secret is the one of this access and the body is unchanged.';

  it.each<[string, Uint8Array | string, Uint8Array | string]>([
    ['another body', body, '{"type":"campaign.free"}'],
    ['a byte order mark before it', body, `\uFEFF${body}`],
    [
      'the bytes of a byte order mark before it',
      utf8(body),
      Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8(body)]),
    ],
    [
      'other bytes that decode to the same text',
      Uint8Array.from([0x22, 0xff, 0x22]),
      Uint8Array.from([0x22, 0xfe, 0x22]),
    ],
    ['its own JSON written anew', '{ "type": "campaign.paid" }', body],
    ['a line feed behind it', body, `${body}\n`],
    ['an empty body', body, ''],
  ])('is refused: %s', (_name, signed, received) => {
    const refusal = refusalOf(() => verify({ ...honest(signed), body: received }));
    expect(refusal?.reason).toBe('signature_mismatch');
    expect(refusal?.message).toBe(plain);
  });

  const lossy =
    'None of the secrets signed this body. The body was decoded with losses: hand over its bytes instead of text. Check that the secret is the one of this access and the body is unchanged.';

  it('hints at bytes when the text lost some of them', () => {
    const bytes = Uint8Array.from([0x22, 0xff, 0x22]);
    const decoded = new TextDecoder().decode(bytes);
    expect(refusalOf(() => verify({ ...honest(bytes), body: decoded }))?.message).toBe(lossy);
  });

  it('is refused when it only looks alike as UTF-8: half a surrogate pair', () => {
    const refusal = refusalOf(() => verify({ ...honest('"\uFFFD"'), body: '"\uD800"' }));
    expect(refusal?.reason).toBe('signature_mismatch');
    expect(refusal?.message).toBe(lossy);
  });

  it.each([undefined, null])('is asked for when it is %p', (received) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body: received, signature, secrets: [secret] }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe(
      'body is missing. Hand over the raw body of the request; an empty one is an empty string.',
    );
  });

  it.each<[string, unknown]>([
    ['a parsed object', JSON.parse(body)],
    ['a list', []],
    ['a number', 1],
    ['an ArrayBuffer', new ArrayBuffer(8)],
    ['a function', () => body],
  ])('must be raw, not %s', (_name, received) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body: received, signature, secrets: [secret] }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe(
      'body must be the raw bytes or text of the request, not something made from it. If a JSON parser ran before, read the raw body ahead of it: the parsed object no longer shows what was signed.',
    );
  });
});

describe('secrets', () => {
  it.each([
    ['first', [secret, 'new']],
    ['last', ['old', 'older', secret]],
  ])('may be several during a rotation, the right one %s', (_name, secrets) => {
    expect(() => verify(honest(), secrets)).not.toThrow();
  });

  it('are tried in turn, and no longer than needed', () => {
    let signed = 0;
    const count = (timestamp: string, raw: Uint8Array | string) => {
      signed += 1;
      return [`${timestamp}.`, raw];
    };
    const now = () => time * 1000;
    verifySignature({ body, signature, secrets: [secret, 'b', 'c'], now, signedContent: count });
    expect(signed).toBe(1);
    verifySignature({ body, signature, secrets: ['b', secret, 'c'], now, signedContent: count });
    expect(signed).toBe(3);
  });

  it('are all refused when none of them signed', () => {
    expect(refusalOf(() => verify(honest(), ['old', 'new']))?.reason).toBe('signature_mismatch');
  });

  it.each([` ${secret}`, `${secret}\n`])('hint at white space around %j', (pasted) => {
    const refusal = refusalOf(() => verify(honest(), [pasted]));
    expect(refusal?.reason).toBe('signature_mismatch');
    expect(refusal?.message).toBe(
      'None of the secrets signed this body. A secret begins or ends with white space: paste it again without. Check that the secret is the one of this access and the body is unchanged.',
    );
  });

  it('may hold white space when the service signs with it', () => {
    const spaced = ' a secret ';
    const header = signWebhook({ body, secret: spaced, timestamp: time });
    expect(() => verify({ body, signature: header }, [spaced])).not.toThrow();
  });

  it.each<[unknown]>([[[]], [undefined], [null], [secret], [{ 0: secret }]])(
    'are a list with at least one: %j is refused',
    (secrets) => {
      const refusal = refusalOf(() => loosely(verifySignature)({ body, signature, secrets }));
      expect(refusal?.reason).toBe('invalid_argument');
      expect(refusal?.message).toBe('secrets must be a list with at least one signing secret.');
    },
  );

  it.each<[unknown]>([[''], [' '], [undefined], [42], [utf8(secret)]])(
    'are never empty, also beside a good one: %j is refused',
    (bad) => {
      const secrets = [secret, bad];
      const refusal = refusalOf(() => loosely(verifySignature)({ body, signature, secrets }));
      expect(refusal?.reason).toBe('invalid_argument');
      expect(refusal?.message).toBe(
        'Each of secrets must be a signing secret as text, and not empty.',
      );
    },
  );

  it('never appear in an error, and neither do signature and body', () => {
    const refusal = refusalOf(() =>
      verify({ ...honest(), body: 'foreign body' }, [secret, 'second secret']),
    );
    const shown = `${refusal?.stack}${JSON.stringify(refusal)}`;
    expect(shown).toContain('None of the secrets');
    for (const hidden of [secret, 'second secret', hex, 'foreign body'])
      expect(shown).not.toContain(hidden);
  });
});

describe('a scheme that turns out to differ', () => {
  const now = () => time * 1000;

  it.each(['sha1', 'sha256', 'sha384', 'sha512'] as const)('may use %s', (algorithm) => {
    const header = signWebhook({ body, secret, timestamp: time, algorithm });
    expect(header).toBe(`t=${time},v1=${hmac(`${time}.${body}`, algorithm)}`);
    const options = { body, signature: header, secrets: [secret], now };
    expect(() => verifySignature({ ...options, algorithm })).not.toThrow();
    const other = algorithm === 'sha256' ? 'sha512' : 'sha256';
    expect(refusalOf(() => verifySignature({ ...options, algorithm: other }))?.reason).toBe(
      'malformed_signature',
    );
  });

  it('may sign other content', () => {
    const signedContent = (_timestamp: string, raw: Uint8Array | string) => [raw];
    const header = `t=${time},v1=${hmac(body)}`;
    expect(signWebhook({ body, secret, timestamp: time, signedContent })).toBe(header);
    const options = { body, signature: header, secrets: [secret], now };
    expect(() => verifySignature({ ...options, signedContent })).not.toThrow();
    expect(refusalOf(() => verifySignature(options))?.reason).toBe('signature_mismatch');
  });

  it.each(['md5', 'toString', '', 256, null])('must not use %j', (algorithm) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body, signature, secrets: [secret], now, algorithm }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe('algorithm must be one of sha1, sha256, sha384, sha512.');
  });

  it.each<[string, unknown, string]>([
    ['no function', 't.body', 'signedContent must be a function that returns the signed parts.'],
    ['a text', () => body, 'signedContent must return a list of texts or bytes.'],
    ['other parts', () => [time, body], 'signedContent must return a list of texts or bytes.'],
  ])('must name its content as parts, not %s', (_name, signedContent, message) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body, signature, secrets: [secret], now, signedContent }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe(message);
  });
});

describe('the error', () => {
  it('is one of this package, for programs to tell apart', () => {
    const refusal = withHeader(undefined);
    expect(ScreenAdvertisingError.isInstance(refusal)).toBe(true);
    expect(refusal?.name).toBe('WebhookVerificationError');
    expect(refusal?.code).toBe('webhook_verification_failed');
    expect(refusal?.isRetryable).toBe(false);
  });

  it.each<[unknown]>([[undefined], [null], ['options'], [[]]])(
    'says what is needed for the options %j',
    (options) => {
      const refusal = refusalOf(() => loosely(verifySignature)(options));
      expect(refusal?.reason).toBe('invalid_argument');
      expect(refusal?.message).toBe('verifySignature needs an object of options.');
    },
  );
});
