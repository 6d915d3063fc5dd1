import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@screen-advertising/core';
import { createRelayClient } from '@screen-advertising/core/relay';
import { parseRelayUrl } from '../../../shared/src/relay/relay-access.ts';
import { connectorKey } from './relay-bench.ts';

describe('the base URL of a relay', () => {
  it.each([
    ['https://relay.example', 'https://relay.example/api/v1'],
    ['https://relay.example/api/v1/', 'https://relay.example/api/v1'],
    ['http://localhost:8788', 'http://localhost:8788/api/v1'],
    ['http://relay:8788', 'http://relay:8788/api/v1'],
    ['http://host.docker.internal:8788', 'http://host.docker.internal:8788/api/v1'],
    ['http://192.168.1.20:8788', 'http://192.168.1.20:8788/api/v1'],
    ['https://relay.example/in/main', 'https://relay.example/api/v1'],
    ['https://relay.example/sub/in/main/', 'https://relay.example/sub/api/v1'],
    ['http://localhost:8788/operator/tokens', 'http://localhost:8788/api/v1'],
    ['http://localhost:8788/operator/', 'http://localhost:8788/api/v1'],
    ['http://localhost:8788/operator/sign-in?link=x', 'http://localhost:8788/api/v1'],
    ['http://in/main', 'http://in/main/api/v1'],
    ['https://operator', 'https://operator/api/v1'],
  ])('may be %s', (text, url) => {
    expect(parseRelayUrl(text)).toBe(url);
  });

  it.each([
    ['', 'is missing. Paste the whole address, such as https://relay.example.'],
    [
      'relay.example',
      'is not a web address. Paste the whole address, such as https://relay.example.',
    ],
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
      'must not contain a query. Paste https://relay.example/api/v1 instead.',
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
