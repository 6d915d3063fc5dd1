import { describe, expect, it } from '@jest/globals';
import type { WebhookFailureReason } from '@screen-advertising/core';
import { body, hex, hmac, signature, time, withHeader } from './delivery.ts';

describe('a header that cannot be trusted', () => {
  const unreadable = (why: string) =>
    `The header x-service-signature cannot be read: ${why}. Expected t=<unix seconds>,v1=<hex>.`;
  const missing =
    'The delivery has no x-service-signature header, so it did not come from the service.';

  it.each<[string, unknown, WebhookFailureReason, string]>([
    ['is missing', undefined, 'missing_signature', missing],
    ['is null', null, 'missing_signature', missing],
    ['is empty', '', 'missing_signature', missing],
    [
      'arrived twice',
      [signature, signature],
      'malformed_signature',
      unreadable('it was sent more than once'),
    ],
    [
      'arrived twice and was joined',
      `${signature}, ${signature}`,
      'malformed_signature',
      unreadable('it has more than one t'),
    ],
    [
      'holds the same t twice',
      `t=${time},t=${time},v1=${hex}`,
      'malformed_signature',
      unreadable('it has more than one t'),
    ],
    [
      'puts an old t behind a new one',
      `t=${time},t=1,v1=${hex}`,
      'malformed_signature',
      unreadable('it has more than one t'),
    ],
    ['holds no t', `v1=${hex}`, 'malformed_signature', unreadable('it has no t')],
    ['is only white space', ' \t', 'malformed_signature', unreadable('it has no t')],
    [
      'writes t in capitals',
      `T=${time},v1=${hex}`,
      'malformed_signature',
      unreadable('it has no t'),
    ],
    [
      'has a t without a value',
      `t,v1=${hmac(`.${body}`)}`,
      'malformed_signature',
      unreadable('t is not a number of seconds in digits'),
    ],
    ['holds no v1', `t=${time}`, 'malformed_signature', unreadable('it has no v1')],
    [
      'has only a scheme this version does not know',
      `t=${time},v0=${hex}`,
      'malformed_signature',
      unreadable('it has no v1'),
    ],
    ...[
      ['an empty v1', 'v1='],
      ['a bare v1', 'v1'],
      ['a v1 that is too short', `v1=${hex.slice(1)}`],
      ['a v1 that is too long', `v1=${hex}0`],
      ['a v1 of 64 characters beyond ASCII', `v1=${'é'.repeat(64)}`],
      ['a v1 of 64 characters that are not hex', `v1=${'g'.repeat(64)}`],
      ['a v1 whose last digit is not hex', `v1=${hex.slice(0, -1)}g`],
      ['a v1 whose first digit is not hex', `v1=g${hex.slice(1)}`],
      ['a v1 with a space inside', `v1= ${hex}`],
      ['a v1 in Base64', `v1=${Buffer.from(hex, 'hex').toString('base64')}`],
    ].map(([name, v1]): [string, unknown, WebhookFailureReason, string] => [
      `has ${name}`,
      `t=${time},${v1}`,
      'malformed_signature',
      unreadable('no v1 is a signature of 40, 64, 96 or 128 hex digits'),
    ]),
    [
      'has 17 signatures, the right one among them',
      `t=${time},v1=${hex}${',v1=00'.repeat(16)}`,
      'malformed_signature',
      unreadable('it has more than 16 signatures'),
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
