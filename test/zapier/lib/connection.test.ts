import { describe, expect, it } from '@jest/globals';
import {
  connectionLabel,
  readConnection,
  readRelayAddress,
  signingSecrets,
} from '../../../packages/zapier-screen-advertising/src/lib/connection.ts';

const base_url = 'https://service.example/api/v1';

describe('readConnection', () => {
  it('reads an API key', () => {
    const { credentials } = readConnection({ base_url, api_key: ' svc_abc ' });
    expect(credentials).toMatchObject({ kind: 'api-key', key: 'svc_abc' });
  });

  it.each(['Bearer svc_abc', ' bearer  svc_abc'])('reads the key of a header: %j', (api_key) => {
    const { credentials } = readConnection({ base_url, api_key });
    expect(credentials).toMatchObject({ kind: 'api-key', key: 'svc_abc' });
  });

  it('reads a client ID and a client secret', () => {
    const { credentials } = readConnection({ base_url, client_id: 'id', client_secret: 'secret' });
    expect(credentials).toMatchObject({
      kind: 'client-credentials',
      clientId: 'id',
      clientSecret: 'secret',
    });
  });

  it.each([
    [{}, 600],
    [{ rate_limit: '' }, 600],
    [{ rate_limit: ' 1200 ' }, 1200],
  ])('reads the rate limit of %j', (fields, requestsPerMinute) => {
    const connection = readConnection({ base_url, api_key: 'svc_abc', ...fields });
    expect(connection).toMatchObject({ requestsPerMinute });
  });

  it.each([
    ...['0', '-5', 'many', '60.5', '1e3'].map(
      (rate_limit): [string, Record<string, string>, string] => [
        `a rate limit of ${rate_limit}`,
        { base_url, api_key: 'svc_abc', rate_limit },
        'Requests per Minute must be a whole number above 0, such as 600.',
      ],
    ),
    [
      'neither kind of credentials',
      { base_url },
      'The credentials are missing. Enter the client ID and client secret, or the API key, from the Screen Advertising team.',
    ],
    [
      'both kinds of credentials',
      { base_url, api_key: 'svc_abc', client_id: 'id', client_secret: 'secret' },
      'Enter either an API key, or a client ID and client secret, and leave the other fields empty.',
    ],
  ])('says what to do about %s', (_what, authData, message) => {
    expect(() => readConnection(authData)).toThrow(message);
  });
});

describe('readRelay', () => {
  it('reads both fields, and returns nothing when both are empty', () => {
    const form = { relay_base_url: ' https://relay.example ', connector_key: ' rly_a.whsec_b ' };
    expect(readRelayAddress(form)).toEqual({
      baseUrl: 'https://relay.example',
      connectorKey: 'rly_a.whsec_b',
    });
    expect(readRelayAddress({ relay_base_url: ' ', connector_key: '' })).toBeUndefined();
    expect(readRelayAddress({})).toBeUndefined();
  });

  it.each([
    [
      'a relay base URL alone',
      { relay_base_url: 'https://relay.example' },
      'The connector key is missing. Paste the key your relay showed, or clear Relay Base URL.',
    ],
    [
      'a connector key alone',
      { connector_key: 'rly_a.whsec_b' },
      'The base URL of the relay is missing. Paste the whole address, such as https://relay.example, or clear Connector Key.',
    ],
  ])('says what to do about %s', (_what, authData, message) => {
    expect(() => readRelayAddress(authData)).toThrow(message);
  });
});

describe('signingSecrets', () => {
  it('are the current one and the previous one, as far as they are filled in', () => {
    expect(signingSecrets({})).toEqual([]);
    expect(signingSecrets({ signing_secret: ' whsec_new ' })).toEqual(['whsec_new']);
    expect(
      signingSecrets({ signing_secret: 'whsec_new', previous_signing_secret: 'whsec_old' }),
    ).toEqual(['whsec_new', 'whsec_old']);
  });
});

describe('connectionLabel', () => {
  const form = { base_url: 'https://service.example/api/v1', api_key: 'svc_partner_0123456789' };
  const client = { base_url, client_id: 'partner-7', client_secret: 'of-the-client' };

  it('is the name that a person gave', () => {
    expect(connectionLabel({ ...form, connection_name: ' Spring ' })).toBe('Spring');
  });

  it.each([
    ['an API key', form, 'service.example (…6789)'],
    ['the header of a key', { ...form, api_key: 'Bearer svc_partner_1' }, 'service.example'],
    ['another API key', { ...form, api_key: 'svc_partner_9876543210' }, 'service.example (…3210)'],
    [
      'one of 20 characters',
      { ...form, api_key: 'svc_0123456789abcdef' },
      'service.example (…cdef)',
    ],
    [
      'one too short to show a part',
      { ...form, api_key: 'svc_0123456789abcde' },
      'service.example',
    ],
    ['a client ID', client, 'service.example (partner-7)'],
    ['another client ID', { ...client, client_id: 'partner-8' }, 'service.example (partner-8)'],
    [
      'a client secret in the field of the ID',
      { ...client, client_id: 'of-the-client' },
      'service.example',
    ],
  ])('differs by access: %s', (_what, authData, label) => {
    expect(connectionLabel(authData)).toBe(label);
  });

  it.each([
    ['the API key', form.api_key, form],
    ['the API key among words', `Key ${form.api_key}`, form],
    ['a short client secret', 'abc', { base_url, client_id: 'id', client_secret: 'abc' }],
    [
      'eight characters of a secret among words',
      'Key abcdefgh',
      { ...client, client_secret: 'abcdefgh' },
    ],
    ['half of the connector key', 'rly_token', { ...form, connector_key: 'rly_token.whsec_s' }],
  ])('is not the name when that is %s', (_what, connection_name, authData) => {
    expect(connectionLabel({ ...authData, connection_name })).toBe(connectionLabel(authData));
  });

  it('is the name that has a word as short as no secret', () => {
    const authData = { ...client, client_secret: 'abcdefg' };
    expect(connectionLabel({ ...authData, connection_name: 'Key abcdefg' })).toBe('Key abcdefg');
  });
});
