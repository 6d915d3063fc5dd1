import { describe, expect, it } from '@jest/globals';
import type { FaultRule } from '@screen-advertising/sandbox';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { makeToken } from '../../packages/relay/src/base/secrets.ts';
import { start } from '../relay/support/running-relay.ts';
import { testCredential } from './credential-dialog.ts';
import { credentialsOf } from './engine.ts';
import { useWorld } from './world.ts';

const world = useWorld();

/** What the dialog says about the first access's credential with some fields changed. */
async function dialog(type: string, changes: ICredentialDataDecryptedObject = {}) {
  const stored = credentialsOf(world.sandbox, world.baseUrl)[type] ?? {};
  return await testCredential(world.engine, type, { ...stored, ...changes });
}

it.each(['screenAdvertisingApi', 'screenAdvertisingClientCredentialsApi'])(
  'the dialog of %s accepts working values, however they were pasted',
  async (type) => {
    const ok = { status: 'OK', message: 'Connection tested successfully' };
    expect(await dialog(type)).toEqual(ok);
    const stored = credentialsOf(world.sandbox, world.baseUrl)[type] ?? {};
    const pasted = Object.fromEntries(
      Object.entries(stored).map(([field, value]) => [field, `\t${String(value)} \n`]),
    );
    expect(await dialog(type, pasted)).toEqual(ok);
    const { origin } = new URL(world.baseUrl);
    for (const baseUrl of [`${world.baseUrl}/`, origin, `${origin}/api/`]) {
      expect(await dialog(type, { baseUrl })).toEqual(ok);
    }
  },
);

type Changes = Readonly<Record<string, string>>;
const whence = 'Paste the one the Screen Advertising team gave you.';

it.each<[type: string, what: string, changes: Changes, says: string]>([
  [
    'screenAdvertisingApi',
    'no base URL',
    { baseUrl: '' },
    'The base URL is missing. Paste the whole address, such as https://service.example/api/v1.',
  ],
  [
    'screenAdvertisingApi',
    'a base URL without https://',
    { baseUrl: 'service.example/api/v1' },
    'The base URL must start with https://. Paste https://service.example/api/v1 instead.',
  ],
  [
    'screenAdvertisingApi',
    'a host that does not listen',
    { baseUrl: 'http://127.0.0.1:1/api/v1' },
    '127.0.0.1:1 refused the connection (ECONNREFUSED). Check the base URL and that the service is running. If n8n runs in a container, use host.docker.internal instead of this host.',
  ],
  [
    // No valid name has two dots in a row, so this fails without a network request.
    'screenAdvertisingApi',
    'a host that does not exist',
    { baseUrl: 'https://service..example/api/v1' },
    'service..example could not be found (ENOTFOUND). Check the host name in the base URL.',
  ],
  ['screenAdvertisingApi', 'no key', { apiKey: '' }, `The API key is missing. ${whence}`],
  [
    'screenAdvertisingApi',
    'half a key',
    { apiKey: 'svc_half a key' },
    'The API key is incomplete or contains invalid characters. Copy the whole key again.',
  ],
  [
    'screenAdvertisingApi',
    'a wrong key',
    { apiKey: 'svc_not_the_right_one' },
    'The service does not accept the API key (401). The service says: "The API key is unknown." Copy the whole key again, and check that it belongs to this base URL.',
  ],
  [
    'screenAdvertisingClientCredentialsApi',
    'no client ID',
    { clientId: '' },
    `The client ID is missing. ${whence}`,
  ],
  [
    'screenAdvertisingClientCredentialsApi',
    'no client secret',
    { clientSecret: '' },
    `The client secret is missing. ${whence}`,
  ],
  [
    'screenAdvertisingClientCredentialsApi',
    'an API key as the secret',
    { clientSecret: 'svc_x' },
    'The client secret must not start with svc_. If you have an API key, use it alone, without a client ID.',
  ],
  [
    'screenAdvertisingClientCredentialsApi',
    'a wrong secret',
    { clientSecret: 'not-the-right-one' },
    'The client ID or client secret is wrong. The service says: "The client_id or client_secret is wrong." Check that both are complete, belong together and to this base URL, and have not been revoked.',
  ],
  [
    'screenAdvertisingWebhookApi',
    'a signing secret of white space',
    { signingSecret: ' ' },
    `The signing secret is missing. ${whence}`,
  ],
  [
    'screenAdvertisingWebhookApi',
    'an API key as the signing secret',
    { signingSecret: 'svc_sandbox_full_4f7d2c9a61' },
    'This is an API key, not a signing secret. It belongs into a Screen Advertising API credential. Paste the signing secret that the Screen Advertising team gave you.',
  ],
  [
    'screenAdvertisingWebhookApi',
    'a connector key as the previous signing secret',
    { previousSigningSecret: ` rly_${'a'.repeat(43)}.whsec_${'a'.repeat(44)}` },
    'This is the connector key of a relay, not a signing secret. It belongs into a Screen Advertising Relay API credential. Paste the signing secret that the Screen Advertising team gave you.',
  ],
])('the dialog of %s says what to do about %s', async (type, _what, changes, message) => {
  expect(await dialog(type, changes)).toEqual({ status: 'Error', message });
});

const page = '<!doctype html><html><head><title>Our company</title></head></html>';
const ofScreens = { fault: 'status', path: '/screens' } as const;

it.each<[type: string, what: string, fault: FaultRule, says: string]>([
  [
    'screenAdvertisingApi',
    'the address of a web page',
    { fault: 'status', status: 200, body: page, contentType: 'text/html' },
    'List Screens failed: the response with status 200 is not the expected JSON. The body: text/html, 67 characters, titled "Our company". Check that the base URL leads to the service and not to a web page.',
  ],
  [
    'screenAdvertisingApi',
    'the address of something else',
    { ...ofScreens, status: 404, detail: 'No such page.' },
    'The service was not found at this base URL (404). The service says: "No such page." Check the address: it ends in /api/v1.',
  ],
  [
    'screenAdvertisingApi',
    'an address that redirects',
    { ...ofScreens, status: 302, headers: { location: 'https://elsewhere.example/' } },
    'List Screens failed: redirects are not followed, to protect credentials (302 to https://elsewhere.example). Check the base URL.',
  ],
  [
    'screenAdvertisingApi',
    'too many requests',
    { ...ofScreens, status: 429, headers: { 'retry-after': '17' } },
    'Rate limit reached. Test again in 17 s.',
  ],
  [
    'screenAdvertisingApi',
    'a service that fails',
    { ...ofScreens, status: 503, detail: 'Down for maintenance.' },
    'The service is not available (503). The service says: "Down for maintenance." The credential was not checked. Test again in a minute.',
  ],
  [
    'screenAdvertisingClientCredentialsApi',
    'the address of a web page',
    { fault: 'status', status: 200, body: page, contentType: 'text/html' },
    'The access token request failed: the response with status 200 has no usable token. Check that the base URL leads to the service.',
  ],
  [
    'screenAdvertisingClientCredentialsApi',
    'an access token that is refused',
    { ...ofScreens, status: 401, detail: 'Not for this service.' },
    'The service rejected the access token that it just issued (401). The service says: "Not for this service." Check that the base URL is the one you got with the client ID. If it is, tell the Screen Advertising team.',
  ],
  [
    'screenAdvertisingClientCredentialsApi',
    'a 403, although the token has screens:read',
    { ...ofScreens, status: 403 },
    'List Screens failed: the service refused it, though the token has the scope (403). The service says: "A fault rule returns status 403 for this request." Ask the Screen Advertising team why.',
  ],
  [
    'screenAdvertisingClientCredentialsApi',
    'too many requests for tokens',
    { fault: 'status', path: '/oauth/token', status: 429, headers: { 'retry-after': '17' } },
    'Rate limit reached. Test again in 17 s.',
  ],
])('the dialog of %s says what to do about %s', async (type, _what, fault, message) => {
  world.sandbox.faults.add(fault);
  expect(await dialog(type)).toEqual({ status: 'Error', message });
});

it('the dialog accepts what cannot be tested further, and says so', async () => {
  expect(await dialog('screenAdvertisingWebhookApi')).toEqual({
    status: 'OK',
    message: 'The secret can be used. Whether it is the right one shows with the first delivery.',
  });
  world.sandbox.faults.add({ ...ofScreens, status: 403 });
  expect(await dialog('screenAdvertisingApi')).toEqual({
    status: 'OK',
    message:
      'The API key works but has no screens:read scope, which this test needs. Operations within its scopes will work.',
  });
});

it('a revoked secret is noticed, although an earlier test got a token', async () => {
  const type = 'screenAdvertisingClientCredentialsApi';
  await dialog(type);
  world.sandbox.faults.add({ fault: 'status', status: 401, path: '/oauth/token' });
  expect(await dialog(type)).toMatchObject({ status: 'Error' });
});

describe('the dialog of the relay credential', () => {
  const ofRelay = async (data: ICredentialDataDecryptedObject) =>
    await testCredential(world.engine, 'screenAdvertisingRelayApi', data);

  it('accepts working values, however they were pasted, and says whose key it is', async () => {
    const { relay, url, key } = await start();
    const { connectorKey } = key;
    const [{ name } = { name: '' }] = await relay.tokens.list();
    const ok = {
      status: 'OK',
      message: `Connected to the relay as "${name}", for events of the source "main"`,
    };
    for (const baseUrl of [url, ` ${url}/\n`, `${url}/in/main`, `${url}/api/v1`]) {
      expect(await ofRelay({ baseUrl, connectorKey: `\t${connectorKey} ` })).toEqual(ok);
    }
    expect(await ofRelay({ baseUrl: url, connectorKey: makeToken().connectorKey })).toEqual({
      status: 'Error',
      message:
        'Check Connector Key failed: the relay did not accept the credentials (401). The relay says: "This token is unknown or revoked. Ask the operator of the relay for a connector key." Check that the connector key is complete and belongs to this relay.',
    });
  });

  it('says what to do about a host that does not listen', async () => {
    const { connectorKey } = makeToken();
    expect(await ofRelay({ baseUrl: 'http://127.0.0.1:1', connectorKey })).toEqual({
      status: 'Error',
      message:
        'No usable response from the relay: 127.0.0.1:1 refused the connection (ECONNREFUSED). Check the base URL and that the service is running. If n8n runs in a container, use host.docker.internal instead of this host.',
    });
  });
});
