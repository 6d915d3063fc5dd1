import { describe, expect, it } from '@jest/globals';
import {
  apiKey,
  clientCredentials,
  createClient,
  nodeTransport,
  operations,
} from '@screen-advertising/core';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { createRelayClient } from '@screen-advertising/core/relay';
import { undiciTransport } from '@screen-advertising/core/undici';
import { withDefaultSettings } from '../../../shared/src/client/options.ts';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';

const bench = useBench();
const baseUrl = 'https://service.example/api/v1';
/** No error may show the value of an option. */
const secret = 'svc_value-that-no-error-shows';
const auth = apiKey(secret);

const ofClient =
  'It takes baseUrl, auth, rateLimit, retry, timeoutMs, headers, transport, userAgent, beforeRequest, deadlineMs, onAttempt.';

/** Options of other clients, and of hurried fingers, with what to use instead. */
const unknown: readonly [option: string, remedy: string][] = [
  ['timeout', 'Use timeoutMs.'],
  ['appInfo', 'Use userAgent.'],
  ['apiVersion', ofClient],
  ['apiKey', 'Use auth: apiKey(key).'],
  ['baseURL', 'Use baseUrl.'],
  ['fetch', 'Use transport: fetchTransport({ fetch }), from @screen-advertising/core/fetch.'],
  ['httpsAgent', 'Use transport: nodeTransport({ agent }).'],
  ['params', 'Use the input of the operation.'],
  ['transformRequest', 'Use beforeRequest.'],
  ['validateStatus', 'Use the code of a ScreenAdvertisingError.'],
  ['retries', 'Use retry: { attempts }.'],
  ['clientSecret', 'Use auth: clientCredentials({ clientId, clientSecret }).'],
  [
    'dispatcher',
    'Use transport: undiciTransport({ dispatcher }), from @screen-advertising/core/undici.',
  ],
  ['base_url', 'Use baseUrl.'],
  ['totalTimeout', 'Use deadlineMs.'],
  ['signal', 'Use signal in the options of a call.'],
  ['adoptExisting', 'Use adoptExisting in the options of a call.'],
  ['concurrency', 'Use rateLimit: { maxConcurrent }.'],
];

const ofRetry = 'It takes attempts, maxWaitMs.';
const isNoRetry = 'retry takes an object of options, such as { attempts, maxWaitMs }.';
const timer = 'must be a number from 1 to 2147483647.';
const whole = 'must be a whole number from 1 to 9007199254740991.';
const authMust = 'auth must be the result of apiKey or clientCredentials.';
const clockMust = 'transport must have a clock with the functions now and sleep.';
const headersMust =
  'headers must be texts, without authorization, host, connection, and headers of the body.';

describe('createClient refuses', () => {
  const refusal = (message: string) =>
    expect.objectContaining({ name: 'ConfigurationError', message });

  it.each(unknown)('an option that it does not know: %s', (option, remedy) => {
    const create = () => createClient({ baseUrl, auth, [option]: secret });
    expect(create).toThrow(refusal(`${option} is not an option of createClient. ${remedy}`));
  });

  it.each<[object, string]>([
    [{ svc_secret: 1 }, `One of the names is not an option of createClient. ${ofClient}`],
    [{ retry: { limit: 2 } }, `limit is not an option of retry. ${ofRetry}`],
    [{ retry: { max_wait_ms: 2 } }, 'max_wait_ms is not an option of retry. Use maxWaitMs.'],
    [{ retry: 3 }, isNoRetry],
    [{ retry: true }, isNoRetry],
    [
      { rateLimit: { limit: 2 } },
      'limit is not an option of rateLimit. It takes requests, perMs, maxConcurrent.',
    ],
    [{ rateLimit: 600 }, 'rateLimit takes an object of options, such as { requests, perMs }.'],
    [{ timeoutMs: 0 }, `timeoutMs ${timer}`],
    [{ timeoutMs: 2 ** 31 }, `timeoutMs ${timer}`],
    [{ timeoutMs: '30' }, `timeoutMs ${timer}`],
    [{ retry: { attempts: 0 } }, `retry.attempts ${whole}`],
    [{ retry: { attempts: 1.5 } }, `retry.attempts ${whole}`],
    [{ retry: { maxWaitMs: -1 } }, 'retry.maxWaitMs must be a number from 0 to 2147483647.'],
    [{ rateLimit: { requests: 0.5 } }, `rateLimit.requests ${whole}`],
    [{ rateLimit: { perMs: 0 } }, `rateLimit.perMs ${timer}`],
    [{ rateLimit: { maxConcurrent: 0 } }, `rateLimit.maxConcurrent ${whole}`],
    [{ auth: undefined }, authMust],
    [{ auth: secret }, authMust],
    [{ onAttempt: {} }, 'onAttempt must be a function.'],
    [{ beforeRequest: { a: 'b' } }, 'beforeRequest must be a function.'],
    [{ headers: { Authorization: `Bearer ${secret}` } }, headersMust],
    ...['Content-Length', 'Content-Type', 'transfer-encoding', 'host', 'connection', 'expect'].map(
      (name): [object, string] => [{ headers: { [name]: '1' } }, headersMust],
    ),
    [{ headers: { a: 1 } }, headersMust],
    [{ headers: 'a: b' }, headersMust],
    [{ userAgent: 'a\r\nb' }, 'userAgent must be printable ASCII.'],
  ])('%j', (options, message) => {
    const create = () => createClient({ baseUrl, auth, ...options });
    expect(create).toThrow(refusal(message));
    expect(create).not.toThrow(secret);
  });

  it.each<[string, object, string]>([
    [
      'fetch as transport',
      { transport: fetch },
      'transport must be the result of nodeTransport, fetchTransport or undiciTransport. Pass your own fetch as fetchTransport({ fetch }).',
    ],
    ['a transport without a clock', { transport: { send: () => undefined } }, clockMust],
    ['Date as clock', { transport: { send: () => undefined, clock: Date } }, clockMust],
    ['a function as auth', { auth: apiKey }, authMust],
    ['NaN as time', { timeoutMs: Number.NaN }, `timeoutMs ${timer}`],
    ['endless time', { timeoutMs: Number.POSITIVE_INFINITY }, `timeoutMs ${timer}`],
    ['headers with authorization', { headers: new Headers({ authorization: 'a' }) }, headersMust],
  ])('%s', (_what, options, message) => {
    expect(() => createClient({ baseUrl, auth, ...options })).toThrow(refusal(message));
  });

  it.each([undefined, null, 'svc_key', [], fetch])('in place of its options: %s', (given) => {
    expect(() => createClient(given as never)).toThrow(
      'createClient takes an object of options, such as { baseUrl, auth }.',
    );
  });
});

describe('a call refuses', () => {
  const get = (options: object) => bench.client().screens.get({ screenId: 'scr_1' }, options);
  const isNoCall = 'a call takes an object of options, such as { signal, deadlineMs }.';
  const ownKey =
    'adoptExisting works only for a record with your own key, such as Create Coupon with a code.';
  const deadlineMust = `deadlineMs ${timer}`;

  it.each<[object, string]>([
    [{ timeout: 5 }, 'timeout is not an option of a call. Use timeoutMs.'],
    [{ retry: { maxRetries: 0 } }, `maxRetries is not an option of retry. ${ofRetry}`],
    [{ retry: 2 }, isNoRetry],
    [{ apiKey: secret }, 'apiKey is not an option of a call. Use createClient.'],
    [
      { idempotencyKey: secret },
      'idempotencyKey is not an option of a call. Use your own code, and adoptExisting to find its coupon again.',
    ],
    [
      { stripeAccount: secret },
      'stripeAccount is not an option of a call. It takes signal, deadlineMs, retry, timeoutMs, headers, adoptExisting.',
    ],
    [new AbortController().signal, isNoCall],
    [5000 as never, isNoCall],
    [{ adoptExisting: true }, ownKey],
    [{ signal: new AbortController() }, 'signal must be an AbortSignal.'],
    [{ deadlineMs: 0 }, deadlineMust],
    [{ deadlineMs: Number.NaN }, deadlineMust],
    [{ deadlineMs: Number.POSITIVE_INFINITY }, deadlineMust],
  ])('%p', async (options, message) => {
    expect(await rejection(get(options))).toMatchObject({ name: 'ConfigurationError', message });
    expect(bench.service.received).toEqual([]);
  });

  it('a coupon to adopt without its code, and to read the pages of a record', async () => {
    const coupon = { discount_type: 'percent', discount_value: 5, lead_email: 'a@b.de' } as const;
    const adopt = bench.client().coupons.create(coupon, { adoptExisting: true });
    expect(await rejection(adopt)).toMatchObject({ message: ownKey });
    const pages = bench.client().items(operations['screen.get'] as never);
    expect(await rejection(pages.next())).toMatchObject({
      name: 'ConfigurationError',
      message: 'Get Screen returns one record. Use call, or an operation that lists records.',
    });
  });
});

const relayUrl = 'https://relay.example';
const connectorKey = `rly_${'a'.repeat(43)}.whsec_${'a'.repeat(44)}`;

it.each<[make: () => unknown, message: string]>([
  [
    () => clientCredentials({ client_id: 'a', client_secret: secret } as never),
    'client_id is not an option of clientCredentials. Use clientId.',
  ],
  [
    () => clientCredentials({ clientId: 'a', clientSecret: secret, scope: 'b' } as never),
    'scope is not an option of clientCredentials. It takes clientId, clientSecret, store, onStoreError.',
  ],
  [
    () => clientCredentials({ clientId: 'a', clientSecret: 'b', store: {} as never }),
    'store must have the functions get and set.',
  ],
  [
    () => clientCredentials(undefined as never),
    'clientCredentials takes an object of options, such as { clientId, clientSecret }.',
  ],
  [
    () => createRelayClient({ baseUrl: relayUrl, apiKey: secret } as never),
    'apiKey is not an option of createRelayClient. Use connectorKey.',
  ],
  [
    () => createRelayClient({ baseUrl: relayUrl, connectorKey, retry: { limit: 2 } as never }),
    `limit is not an option of retry. ${ofRetry}`,
  ],
  [
    () => fetchTransport({ timeout: 5 } as never),
    'timeout is not an option of fetchTransport. It takes fetch.',
  ],
  [
    () => nodeTransport({ httpsAgent: {} } as never),
    'httpsAgent is not an option of nodeTransport. It takes agent.',
  ],
  [
    () => undiciTransport({ connections: 5 } as never),
    'connections is not an option of undiciTransport. It takes dispatcher.',
  ],
  [
    () => fetchTransport(fetch as never),
    'fetchTransport takes an object of options, such as { fetch }.',
  ],
])('so do others: %s, %s', (make, message) => {
  expect(make).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
  expect(make).not.toThrow(secret);
});

it('so does a search', async () => {
  const period = { from: '2027-03-01', to: '2027-03-14' };
  const found = findAvailableScreens(bench.client(), period, { limit: 5 } as never);
  expect(await rejection(found)).toMatchObject({
    message:
      'limit is not an option of the search. It takes signal, concurrency, maxScreens, deadlineMs, until, done.',
  });
  expect(bench.service.received).toEqual([]);
});

it.each([
  [undefined, { attempts: 4, maxWaitMs: 180_000 }],
  [{ attempts: 2 }, { attempts: 2, maxWaitMs: 180_000 }],
  [{ maxWaitMs: 0 }, { attempts: 4, maxWaitMs: 0 }],
  [false as const, { attempts: 1, maxWaitMs: 0 }],
])('the retries of a client with %j are %j', (retry, policy) => {
  expect(withDefaultSettings(retry === undefined ? {} : { retry }).retry).toEqual(policy);
});
