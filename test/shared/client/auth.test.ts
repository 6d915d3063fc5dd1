import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import {
  apiKey,
  clientCredentials,
  createClient,
  operations,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { parseApiKey, platformAuth } from '@screen-advertising/core/platform';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { problem } from '../support/steps.ts';

const notSet = process.env.A_CREDENTIAL_THAT_IS_NOT_SET as string;

const baseUrl = 'https://service.example/api/v1';
const paste = 'Paste the one the Screen Advertising team gave you.';

describe('parseApiKey', () => {
  it.each([
    ['svc_abc'],
    ['  svc_abc\n'],
    ['\tsvc_abc '],
    ['Bearer svc_abc'],
    [' bearer  svc_abc '],
  ])('takes %j', (text) => {
    expect(parseApiKey(text)).toBe('svc_abc');
    expect(apiKey(text).key).toBe('svc_abc');
  });

  const otherKind =
    'The API key must start with svc_. If you have a client ID and a client secret, use client credentials instead.';
  const broken =
    'The API key is incomplete or contains invalid characters. Copy the whole key again.';
  it.each([
    ['', `The API key is missing. ${paste}`],
    [' \n', `The API key is missing. ${paste}`],
    [notSet, `The API key is missing. ${paste}`],
    ['an-access-token', otherKind],
    ['SVC_abc', otherKind],
    ['Bearer an-access-token', otherKind],
    ['Bearer', otherKind],
    [
      'rly_abc.whsec_abc',
      'The API key must start with svc_. Use a key that starts with rly_ in the credential of the relay.',
    ],
    ['svc_', broken],
    ['svc_ab c', broken],
    ['svc_a\nb', broken],
    ['svc_ab\u200b', broken],
    ['svc_äb', broken],
  ])('refuses %j', (text, message) => {
    expect(() => parseApiKey(text)).toThrow(
      expect.objectContaining({ message, field: 'apiKey', name: 'ConfigurationError' }),
    );
    expect(() => apiKey(text)).toThrow(message);
  });
});

describe('clientCredentials', () => {
  it('trims both', () => {
    const { clientId, clientSecret } = clientCredentials({
      clientId: ' id ',
      clientSecret: '\nsecret ',
    });
    expect([clientId, clientSecret]).toEqual(['id', 'secret']);
  });

  const isKey =
    'must not start with svc_. If you have an API key, use it alone, without a client ID.';
  it.each([
    [{ clientId: '' }, 'clientId', `The client ID is missing. ${paste}`],
    [{ clientId: notSet }, 'clientId', `The client ID is missing. ${paste}`],
    [{ clientSecret: ' ' }, 'clientSecret', `The client secret is missing. ${paste}`],
    [{ clientId: 'svc_x' }, 'clientId', `The client ID ${isKey}`],
    [{ clientSecret: 'svc_x' }, 'clientSecret', `The client secret ${isKey}`],
  ])('refuses %j', (change, field, message) => {
    const make = () => clientCredentials({ clientId: 'id', clientSecret: 'secret', ...change });
    expect(make).toThrow(expect.objectContaining({ message, field, name: 'ConfigurationError' }));
  });
});

describe('platformAuth', () => {
  const bench = useBench();

  it('leaves the header to the transport, and does not retry a 401', async () => {
    bench.service.on('GET /screens/scr_1', problem(401));
    const client = bench.client({ auth: platformAuth('access 1') });
    const error = await rejection(client.call(operations['screen.get'], { screenId: 'scr_1' }));
    expect(ScreenAdvertisingError.isInstance(error) && error.code).toBe('authentication_failed');
    expect(bench.service.received).toHaveLength(1);
    expect(bench.service.received[0]?.headers).not.toHaveProperty('authorization');
  });

  it('shows no secret that the transport came to use for the request', async () => {
    const used: string[] = [];
    bench.service.on('GET /screens/scr_1', (response, service) => {
      used.push('of-the-request');
      service.release(response, problem(404, { detail: 'Not of-the-request.' }));
    });
    const client = bench.client({ auth: platformAuth('access 2', () => used) });
    const work = client.call(operations['screen.get'], { screenId: 'scr_1' });
    expect(await rejection(work)).toMatchObject({
      said: 'The service says: "Not [redacted]."',
    });
  });
});

describe('a copy of credentials', () => {
  const lost =
    'auth is a copy without its secret. Pass the result of apiKey or clientCredentials itself.';
  const both = [
    apiKey('svc_hidden'),
    clientCredentials({ clientId: 'id', clientSecret: 'hidden' }),
  ].flatMap((auth) => [{ ...auth }, structuredClone(auth), JSON.parse(JSON.stringify(auth))]);

  it.each(both)('is refused before anything is sent: %j', (auth) => {
    expect(() => createClient({ baseUrl, auth })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', field: 'auth', message: lost }),
    );
  });

  it.each<[object, string]>([
    [{ kind: 'api-key', key: '' }, `The API key is missing. ${paste}`],
    [{ kind: 'client-credentials', clientId: 'id', clientSecret: 's' }, lost],
    [{ kind: 'basic' }, 'auth must be the result of apiKey or clientCredentials.'],
    [{}, 'auth must be the result of apiKey or clientCredentials.'],
  ])('by hand is checked: %j', (auth, message) => {
    expect(() => createClient({ baseUrl, auth: auth as never })).toThrow(message);
  });

  it('by hand works', async () => {
    const bare = { kind: 'api-key', key: ' svc_hidden\n' } as const;
    const headers: unknown[] = [];
    const send = async (request: { readonly headers: unknown }) => {
      headers.push(request.headers);
      return { status: 200, headers: {}, body: '{"id":"scr_1"}' };
    };
    const transport = { clock: { now: () => 0, sleep: async () => {} }, send };
    await createClient({ baseUrl, auth: bare, transport }).screens.get({ screenId: 'scr_1' });
    expect(headers).toMatchObject([{ authorization: 'Bearer svc_hidden' }]);
  });
});

describe('printed credentials', () => {
  it.each([
    [apiKey('svc_hidden'), "{ kind: 'api-key' }"],
    [
      clientCredentials({ clientId: 'id', clientSecret: 'hidden' }),
      "{ kind: 'client-credentials', clientId: 'id' }",
    ],
  ])('show no secret', (auth, printed) => {
    expect(inspect(auth)).toBe(printed);
    expect(JSON.stringify(auth)).not.toContain('hidden');
  });
});
