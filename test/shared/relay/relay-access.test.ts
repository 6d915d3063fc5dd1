import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@screen-advertising/core';
import { createRelayClient, parseConnectorKey } from '@screen-advertising/core/relay';
import { makeToken } from '../../../packages/relay/src/base/secrets.ts';
import { parseRelayUrl } from '../../../shared/src/relay/relay-access.ts';
import { connectorKey, signingSecret, token } from './relay-bench.ts';

describe('the base URL of a relay', () => {
  it.each([
    ['https://relay.example', 'https://relay.example/api/v1'],
    ['https://relay.example/api/v1/', 'https://relay.example/api/v1'],
    ['http://localhost:8788', 'http://localhost:8788/api/v1'],
    ['http://192.168.1.20:8788', 'http://192.168.1.20:8788/api/v1'],
    ['https://relay.example/in/main', 'https://relay.example/api/v1'],
    ['https://relay.example/sub/in/main/', 'https://relay.example/sub/api/v1'],
    ['http://localhost:8788/operator/tokens', 'http://localhost:8788/api/v1'],
    ['http://localhost:8788/operator/sign-in?link=x', 'http://localhost:8788/api/v1'],
    ['http://in/main', 'http://in/main/api/v1'],
  ])('may be %s', (text, url) => {
    expect(parseRelayUrl(text)).toBe(url);
  });

  it.each([
    ['', 'is missing. Paste the whole address, such as https://relay.example.'],
    ['relay.example', 'must start with https://. Paste https://relay.example instead.'],
    [
      'http://relay.example',
      'must start with https, because it carries your connector key; http works only for a relay on this machine or in a private network. Paste https://relay.example/api/v1 instead.',
    ],
    [
      'https://relay.example/api/v2',
      'must end in /api/v1, the supported version. Paste https://relay.example/api/v1 instead.',
    ],
    [
      'https://relay.example?key=secret-word',
      'must not contain ? or #. Paste https://relay.example/api/v1 instead.',
    ],
  ])('must not be %j', (text, message) => {
    const make = () => createRelayClient({ baseUrl: text, connectorKey });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(
      expect.objectContaining({
        message: `The base URL of the relay ${message}`,
        field: 'baseUrl',
      }),
    );
  });
});

describe('parseConnectorKey', () => {
  it('splits a key that the relay created', () => {
    for (let key = makeToken(), nth = 0; nth < 100; key = makeToken(), nth += 1) {
      const { token, signingSecret, connectorKey } = key;
      expect(parseConnectorKey(` ${connectorKey}\n`)).toEqual({ token, signingSecret });
    }
  });

  const copy = 'Copy the whole connector key again: the relay shows it once, when you create it.';
  it.each([
    ['nothing', '', `is missing. ${copy}`],
    ['white space', ' \n', `is missing. ${copy}`],
    ['the token alone', token, `has only the token. ${copy}`],
    ['the signing secret alone', signingSecret, `has only the signing secret. ${copy}`],
    [
      'an API key',
      'svc_sandbox_full_4f7d2c9a61',
      'must not be an API key of the service. Paste the key that the relay shows, which starts with rly_.',
    ],
    ['something else', 'hunter2-is-a-secret', `must start with rly_. ${copy}`],
    [
      'a break in it',
      connectorKey.replace('.', '.\n'),
      `is incomplete or contains invalid characters. ${copy}`,
    ],
  ])('refuses %s and never shows it', (_what, text, message) => {
    const refusal = expect.objectContaining({
      message: `The connector key ${message}`,
      code: 'invalid_configuration',
      field: 'connectorKey',
    });
    expect(() => parseConnectorKey(text)).toThrow(ConfigurationError);
    expect(() => parseConnectorKey(text)).toThrow(refusal);
  });

  it('detects a missing end of any length', () => {
    for (let length = 1; length < connectorKey.length; length += 1) {
      expect(() => parseConnectorKey(connectorKey.slice(0, length))).toThrow(ConfigurationError);
      expect(() => parseConnectorKey(connectorKey.slice(length))).toThrow(ConfigurationError);
    }
  });
});
