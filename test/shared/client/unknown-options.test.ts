import { describe, expect, it } from '@jest/globals';
import { apiKey, clientCredentials, createClient, nodeTransport } from '@screen-advertising/core';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { createRelayClient } from '@screen-advertising/core/relay';
import { undiciTransport } from '@screen-advertising/core/undici';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';

const bench = useBench();
const baseUrl = 'https://service.example/api/v1';
const auth = apiKey('svc_key_of_the_tests');
/** No error may show the value of an option. */
const secret = 'a-value-that-no-error-shows';

const ofClient =
  'It takes baseUrl, auth, rateLimit, retry, timeoutMs, headers, transport, userAgent, beforeRequest, deadlineMs, onAttempt.';
const ownFetch = 'Use transport: fetchTransport({ fetch }), from @screen-advertising/core/fetch.';
const ownAgent = 'Use transport: nodeTransport({ agent }).';
const attempts = 'Use retry: { attempts }.';

/** Options of other clients, and of hurried fingers, with what to use instead. */
const ofCreateClient: readonly [whose: string, option: string, remedy: string][] = [
  ['stripe', 'timeout', 'Use timeoutMs.'],
  ['stripe', 'appInfo', 'Use userAgent.'],
  ['stripe', 'apiVersion', ofClient],
  ['openai', 'apiKey', 'Use auth: apiKey(key).'],
  ['openai', 'baseURL', 'Use baseUrl.'],
  ['openai', 'defaultHeaders', 'Use headers.'],
  ['openai', 'fetch', ownFetch],
  ['octokit', 'throttle', 'Use rateLimit.'],
  ['axios', 'httpsAgent', ownAgent],
  ['axios', 'params', 'Use the input of the operation.'],
  ['axios', 'transformRequest', 'Use beforeRequest.'],
  ['axios', 'validateStatus', 'Use the code of a ScreenAdvertisingError.'],
  ['ky', 'retries', attempts],
  ['ky', 'credentials', 'Use auth: clientCredentials({ clientId, clientSecret }).'],
  [
    'undici',
    'dispatcher',
    'Use transport: undiciTransport({ dispatcher }), from @screen-advertising/core/undici.',
  ],
  ['a relay', 'connectorKey', ofClient],
  ['this client', 'clientSecret', 'Use auth: clientCredentials({ clientId, clientSecret }).'],
  ['this client', 'timeoutMS', 'Use timeoutMs.'],
  ['this client', 'base_url', 'Use baseUrl.'],
  ['another client', 'totalTimeout', 'Use deadlineMs.'],
  ['this client', 'signal', 'Use signal in the options of a call.'],
  ['this client', 'adoptExisting', 'Use adoptExisting in the options of a call.'],
  ['this client', 'concurrency', 'Use rateLimit: { maxConcurrent }.'],
];

describe('createClient refuses what it does not know', () => {
  it.each(ofCreateClient)('of %s: %s', (_whose, option, remedy) => {
    const create = () => createClient({ baseUrl, auth, [option]: secret });
    const message = `${option} is not an option of createClient. ${remedy}`;
    expect(create).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
    expect(create).not.toThrow(secret);
  });

  it.each([...['limit', 'maxAttempts']])('in retry: %s', (name) => {
    expect(() => createClient({ baseUrl, auth, retry: { [name]: 2 } })).toThrow(
      `${name} is not an option of retry. It takes attempts, maxWaitMs.`,
    );
  });

  it.each(['limit', 'perMinute'])('in rateLimit: %s', (name) => {
    expect(() => createClient({ baseUrl, auth, rateLimit: { [name]: 2 } })).toThrow(
      `${name} is not an option of rateLimit. It takes requests, perMs, maxConcurrent.`,
    );
  });

  const isNoRetry = 'retry takes an object of options, such as { attempts, maxWaitMs }.';
  it.each<[options: object, message: string]>([
    [{ retry: { max_wait_ms: 2 } }, 'max_wait_ms is not an option of retry. Use maxWaitMs.'],
    [{ retry: 3 }, isNoRetry],
    [{ retry: true }, isNoRetry],
    [{ rateLimit: 600 }, 'rateLimit takes an object of options, such as { requests, perMs }.'],
  ])('%j', (options, message) => {
    const create = () => createClient({ baseUrl, auth, ...options });
    expect(create).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
  });

  it.each([undefined, null, 'svc_key', [], fetch])('in place of its options: %s', (given) => {
    expect(() => createClient(given as never)).toThrow(
      'createClient takes an object of options, such as { baseUrl, auth }.',
    );
  });

  it('without showing a name that may be a secret', () => {
    const create = () => createClient({ baseUrl, auth, svc_secret: 1 } as never);
    expect(create).toThrow(`One of the names is not an option of createClient. ${ofClient}`);
  });
});

describe('a call refuses what it does not know', () => {
  it.each<[object, string]>([
    [{ timeout: 5 }, 'timeout is not an option of a call. Use timeoutMs.'],
    [{ maxRetries: 0 }, 'maxRetries is not an option of a call. Use retry: { attempts }.'],
    [
      { retry: { maxRetries: 0 } },
      'maxRetries is not an option of retry. It takes attempts, maxWaitMs.',
    ],
    [{ retry: 2 }, 'retry takes an object of options, such as { attempts, maxWaitMs }.'],
    [
      { cancelToken: secret },
      'cancelToken is not an option of a call. Use signal in the options of a call.',
    ],
    [{ baseUrl }, 'baseUrl is not an option of a call. Use createClient.'],
    [{ apiKey: secret }, 'apiKey is not an option of a call. Use createClient.'],
    [{ rateLimit: false }, 'rateLimit is not an option of a call. Use createClient.'],
    [
      { idempotencyKey: secret },
      'idempotencyKey is not an option of a call. Use your own code, and adoptExisting to find its coupon again.',
    ],
    [
      { stripeAccount: secret },
      'stripeAccount is not an option of a call. It takes signal, deadlineMs, retry, timeoutMs, headers, adoptExisting.',
    ],
    [
      new AbortController().signal,
      'a call takes an object of options, such as { signal, deadlineMs }.',
    ],
    [5000 as never, 'a call takes an object of options, such as { signal, deadlineMs }.'],
  ])('%j', async (options, message) => {
    const call = bench.client().screens.get({ screenId: 'scr_1' }, options);
    expect(await rejection(call)).toMatchObject({ name: 'ConfigurationError', message });
    expect(bench.service.received).toEqual([]);
  });
});

describe('so do', () => {
  it.each<[what: string, make: () => unknown, message: string]>([
    [
      'clientCredentials',
      () => clientCredentials({ client_id: 'a', client_secret: secret } as never),
      'client_id is not an option of clientCredentials. Use clientId.',
    ],
    [
      'clientCredentials with a scope',
      () => clientCredentials({ clientId: 'a', clientSecret: secret, scope: 'b' } as never),
      'scope is not an option of clientCredentials. It takes clientId, clientSecret, store, onStoreError.',
    ],
    [
      'clientCredentials with a Map as store',
      () => clientCredentials({ clientId: 'a', clientSecret: secret, store: {} as never }),
      'store must have the functions get and set.',
    ],
    [
      'clientCredentials without credentials',
      () => clientCredentials(undefined as never),
      'clientCredentials takes an object of options, such as { clientId, clientSecret }.',
    ],
    [
      'createRelayClient',
      () => createRelayClient({ baseUrl: 'https://relay.example', apiKey: secret } as never),
      'apiKey is not an option of createRelayClient. Use connectorKey.',
    ],
    [
      'createRelayClient with a nested option',
      () =>
        createRelayClient({
          baseUrl: 'https://relay.example',
          connectorKey: `rly_${'a'.repeat(43)}.whsec_${'a'.repeat(44)}`,
          retry: { limit: 2 } as never,
        }),
      'limit is not an option of retry. It takes attempts, maxWaitMs.',
    ],
    [
      'fetchTransport',
      () => fetchTransport({ timeout: 5 } as never),
      'timeout is not an option of fetchTransport. It takes fetch.',
    ],
    [
      'nodeTransport',
      () => nodeTransport({ httpsAgent: {} } as never),
      'httpsAgent is not an option of nodeTransport. It takes agent.',
    ],
    [
      'undiciTransport',
      () => undiciTransport({ connections: 5 } as never),
      'connections is not an option of undiciTransport. It takes dispatcher.',
    ],
    [
      'fetchTransport with the function itself',
      () => fetchTransport(fetch as never),
      'fetchTransport takes an object of options, such as { fetch }.',
    ],
  ])('%s', (_what, make, message) => {
    expect(make).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
    expect(make).not.toThrow(secret);
  });

  it('findAvailableScreens', async () => {
    const period = { from: '2027-03-01', to: '2027-03-14' };
    const found = findAvailableScreens(bench.client(), period, { limit: 5 } as never);
    expect(await rejection(found)).toMatchObject({
      message:
        'limit is not an option of the search. It takes signal, concurrency, maxScreens, deadlineMs, until, done.',
    });
    expect(bench.service.received).toEqual([]);
  });
});
