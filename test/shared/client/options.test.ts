import { describe, expect, it } from '@jest/globals';
import { apiKey, createClient, operations } from '@screen-advertising/core';
import { withDefaultSettings } from '../../../shared/src/client/options.ts';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';

const bench = useBench();
const key = 'svc_key_of_the_tests';
const baseUrl = 'https://service.example/api/v1';
const auth = apiKey(key);

const authMust = 'auth must be the result of apiKey or clientCredentials.';
const clockMust = 'transport must have a clock with the functions now and sleep.';
const headersMust =
  'headers must be texts, without authorization, host, connection, and headers of the body.';

const cases: readonly [string, object, string][] = [
  ['no auth', { auth: undefined }, authMust],
  ['a key as auth', { auth: key }, authMust],
  ['a function as auth', { auth: apiKey }, authMust],
  [
    'fetch as transport',
    { transport: fetch },
    'transport must be the result of nodeTransport, fetchTransport or undiciTransport. Pass your own fetch as fetchTransport({ fetch }).',
  ],
  ['a transport without a clock', { transport: { send: () => undefined } }, clockMust],
  ['Date as clock', { transport: { send: () => undefined, clock: Date } }, clockMust],
  ['an object as hook', { onAttempt: {} }, 'onAttempt must be a function.'],
  ['headers as hook', { beforeRequest: { a: 'b' } }, 'beforeRequest must be a function.'],
  ['text as time', { timeoutMs: '30' }, 'timeoutMs must be a number from 1 to 2147483647.'],
  ['its own authorization', { headers: { Authorization: `Bearer ${key}` } }, headersMust],
  ...['Content-Length', 'transfer-encoding', 'host', 'connection', 'expect'].map(
    (name): [string, object, string] => [`a ${name}`, { headers: { [name]: '1' } }, headersMust],
  ),
  ['a content type', { headers: { 'Content-Type': 'application/json' } }, headersMust],
  ['a number as header', { headers: { a: 1 } }, headersMust],
  ['text as headers', { headers: 'a: b' }, headersMust],
  [
    'headers with authorization',
    { headers: new Headers({ authorization: `Bearer ${key}` }) },
    headersMust,
  ],
  ['two lines as a user agent', { userAgent: 'a\r\nb' }, 'userAgent must be printable ASCII.'],
];

describe('createClient refuses', () => {
  it.each(cases)('%s', (_what, options, message) => {
    const create = () => createClient({ baseUrl, auth, ...options });
    expect(create).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
  });
});

describe('a call refuses', () => {
  const withoutCode = { discount_type: 'percent', discount_value: 5, lead_email: 'a@example.com' };
  const ownKey =
    'adoptExisting works only for a record with your own key, such as Create Coupon with a code.';
  const ms = 'deadlineMs must be a number from 1 to 2147483647.';
  const { 'screen.get': getScreen } = operations;
  const get = (options: object) => bench.client().screens.get({ screenId: 'scr_1' }, options);

  it.each<[string, () => Promise<unknown>, string]>([
    ['a record to adopt', () => get({ adoptExisting: true }), ownKey],
    [
      'a coupon to adopt without its code',
      () => bench.client().coupons.create(withoutCode as never, { adoptExisting: true }),
      ownKey,
    ],
    [
      'a controller as signal',
      () => get({ signal: new AbortController() }),
      'signal must be an AbortSignal.',
    ],
    ['NaN as deadline', () => get({ deadlineMs: Number.NaN }), ms],
    ['no time', () => get({ deadlineMs: 0 }), ms],
    ['endless time', () => get({ deadlineMs: Number.POSITIVE_INFINITY }), ms],
    [
      'to read the pages of a record',
      () =>
        bench
          .client()
          .items(getScreen as never)
          .next(),
      'Get Screen returns one record. Use call, or an operation that lists records.',
    ],
  ])('%s', async (_what, run, message) => {
    expect(await rejection(run())).toMatchObject({ name: 'ConfigurationError', message });
    expect(bench.service.received).toEqual([]);
  });
});

describe('the retries of a client', () => {
  it.each([
    [undefined, { attempts: 4, maxWaitMs: 180_000 }],
    [{}, { attempts: 4, maxWaitMs: 180_000 }],
    [{ attempts: 2 }, { attempts: 2, maxWaitMs: 180_000 }],
    [{ maxWaitMs: 0 }, { attempts: 4, maxWaitMs: 0 }],
    [false as const, { attempts: 1, maxWaitMs: 0 }],
  ])('of %j is %j', (given, policy) => {
    const options = given === undefined ? {} : { retry: given };
    expect(withDefaultSettings(options).retry).toEqual(policy);
  });
});
