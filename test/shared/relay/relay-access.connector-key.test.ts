import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@screen-advertising/core';
import { parseConnectorKey } from '@screen-advertising/core/relay';
import { makeToken } from '../../../packages/relay/src/secrets/new-token.ts';

const { token, signingSecret, connectorKey } = makeToken();

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
    [
      'two of them',
      `${connectorKey} ${connectorKey}`,
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

  it('reports it as missing when a variable is not set', () => {
    const notSet = process.env.A_KEY_THAT_IS_NOT_SET as string;
    expect(() => parseConnectorKey(notSet)).toThrow('The connector key is missing.');
  });
});
