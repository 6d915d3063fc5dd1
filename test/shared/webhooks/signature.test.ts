import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { loosely, refusalOf, secret, time, utf8 } from './delivery.ts';

const body = '{"type":"campaign.paid"}';

describe('signWebhook', () => {
  it('gives the value of X-Service-Signature', () => {
    const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    expect(signWebhook({ body, secret, timestamp: time })).toBe(`t=${time},v1=${expected}`);
    expect(signWebhook({ body: utf8(body), secret, timestamp: time })).toBe(
      `t=${time},v1=${expected}`,
    );
  });

  it.each([0, 99_999_999_999])('signs at %i, the first or last time it accepts', (timestamp) => {
    expect(signWebhook({ body, secret, timestamp })).toContain(`t=${timestamp},v1=`);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'milliseconds',
      { timestamp: time * 1000 },
      'timestamp must be whole seconds since 1970, not milliseconds.',
    ],
    [
      'part of a second',
      { timestamp: 1.5 },
      'timestamp must be whole seconds since 1970, not milliseconds.',
    ],
    [
      'a time before 1970',
      { timestamp: -1 },
      'timestamp must be whole seconds since 1970, not milliseconds.',
    ],
    [
      'the second after the last',
      { timestamp: 100_000_000_000 },
      'timestamp must be whole seconds since 1970, not milliseconds.',
    ],
    ['an empty secret', { secret: '' }, 'secret must be a signing secret: text that is not empty.'],
    [
      'no body',
      { body: undefined },
      'body is missing. Pass the raw body of the request; an empty body is an empty string.',
    ],
    [
      'an unknown algorithm',
      { scheme: { algorithm: 'md5' } },
      'scheme.algorithm must be one of sha1, sha256, sha384, sha512.',
    ],
  ])('refuses %s', (_name, wrong, message) => {
    const refusal = refusalOf(() =>
      loosely(signWebhook)({ body, secret, timestamp: time, ...wrong }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe(message);
  });

  it('requires options', () => {
    expect(refusalOf(() => loosely(signWebhook)())?.message).toBe(
      'signWebhook needs an object of options.',
    );
  });
});
