import { describe, expect, it } from '@jest/globals';
import { apiKey, ConfigurationError, createClient } from '@screen-advertising/core';
import { parseBaseUrl } from '@screen-advertising/core/platform';
import { parseRelayUrl } from '../../../shared/src/relay/relay-access.ts';

const never = new Promise<never>(() => undefined);

describe('parseBaseUrl', () => {
  it.each([
    ['https://service.example/api/v1'],
    ['https://service.example:8443/partner/api/v1'],
    ['https://münchen.example/api/v1', 'https://xn--mnchen-3ya.example/api/v1'],
    ['  https://service.example/api/v1\n', 'https://service.example/api/v1'],
    ['HTTPS://Service.Example/api/v1', 'https://service.example/api/v1'],
    ['http://127.0.0.1:4010/api/v1'],
    ['http://127.9.9.9/api/v1'],
    ['http://localhost:4010/api/v1'],
    ['http://[::1]:4010/api/v1'],
    ['https://service.example/api/v1/', 'https://service.example/api/v1'],
    ['https://service.example', 'https://service.example/api/v1'],
    ['https://service.example/api', 'https://service.example/api/v1'],
    ['https://service.example/API/V1', 'https://service.example/api/v1'],
    ['https://service.example/api/v1/screens/x', 'https://service.example/api/v1'],
    ['https://service.example/apiary', 'https://service.example/apiary/api/v1'],
    ['http://host.docker.internal:4010/api/v1'],
    ['http://sandbox:4010', 'http://sandbox:4010/api/v1'],
    ['http://n8n.local/api/v1'],
    ['http://api.svc.cluster.internal/api/v1'],
    ['http://10.0.0.5:4010/api/v1'],
    ['http://172.31.255.254/api/v1'],
    ['http://192.168.1.20:4010/api/v1'],
    ['http://[fd12:3456::1]:4010/api/v1'],
  ])('takes %j', (text, url = text) => {
    expect(parseBaseUrl(text)).toBe(url);
  });

  it('takes a URL', () => {
    const url = new URL('https://service.example');
    expect(parseBaseUrl(url)).toBe('https://service.example/api/v1');
    expect(parseRelayUrl(new URL('https://relay.example/in/1'))).toBe(
      'https://relay.example/api/v1',
    );
    const transport = { clock: { now: () => 0, sleep: async () => {} }, send: () => never };
    expect(() => createClient({ baseUrl: url, auth: apiKey('svc_key'), transport })).not.toThrow();
  });

  it.each([undefined, null, {}, 5, ['https://service.example']])('misses %j', (given) => {
    expect(() => parseBaseUrl(given as never)).toThrow('The base URL is missing.');
  });

  const whole = 'Paste the whole address, such as https://service.example/api/v1.';
  const paste = 'Paste https://service.example/api/v1 instead.';
  it.each([
    ['', `is missing. ${whole}`],
    ['service.example/api/v1', `must start with https://. ${paste}`],
    ['10.0.0.5:4010', 'must start with http://. Paste http://10.0.0.5:4010 instead.'],
    ['service example', `is not a web address. ${whole}`],
    ['ftp://service.example/api/v1', `is not a web address. ${whole}`],
    ['javascript:alert(1)', `is not a web address. ${whole}`],
    ['https://service.example/api/v1 (ours)', `is not a web address. ${whole}`],
    ['https://', `is not a web address. ${whole}`],
    ['https://service.example/api/v2', `must end in /api/v1, the supported version. ${paste}`],
    ['https://service.example/api/v1?key=1', `must not contain ? or #. ${paste}`],
    ['https://service.example/api/v1#top', `must not contain ? or #. ${paste}`],
    [
      'http://service.example/api/v1',
      `must start with https, because it carries your credentials. ${paste}`,
    ],
    ...[
      '172.32.0.1',
      '192.169.0.1',
      '11.0.0.1',
      '169.254.169.254',
      '[fe80::1]',
      '[2001:db8::1]',
      '[::ffff:10.0.0.1]',
      'metadata',
      'METADATA',
      'metadata.google.internal',
      'metadata.google.internal.',
      'metadata.local',
      'instance-data',
      'instance-data.ec2.internal',
      '[fd00:ec2::254]',
      '[fd20:ce:0::254]',
      '10.0.0.5.evil.example',
    ].map((host) => [
      `http://${host}/api/v1`,
      `must start with https, because it carries your credentials. Paste ${new URL(`https://${host}/api/v1`).href} instead.`,
    ]),
    [
      'https://user:secret-word@service.example/api/v1',
      `must not contain a username or password. ${paste}`,
    ],
  ])('refuses %j: it %s', (text, message) => {
    expect(() => parseBaseUrl(text)).toThrow(ConfigurationError);
    expect(() => parseBaseUrl(text)).toThrow(
      expect.objectContaining({
        message: `The base URL ${message}`,
        field: 'baseUrl',
        code: 'invalid_configuration',
      }),
    );
  });

  it('reports it as missing when a variable is not set', () => {
    const notSet = process.env.A_BASE_URL_THAT_IS_NOT_SET as string;
    expect(() => parseBaseUrl(notSet)).toThrow('The base URL is missing.');
  });
});
