import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FaultRule } from '@screen-advertising/sandbox';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { testCredential } from './engine/credential-dialog.ts';
import { credentialsOf, startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.sandbox.reset());
afterAll(() => world.stop());

const apiKey = 'screenAdvertisingApi';
const clientCredentials = 'screenAdvertisingClientCredentialsApi';

/** What the dialog says of the first access's credential with some fields changed. */
async function dialog(type: string, changes: ICredentialDataDecryptedObject = {}, access?: string) {
  const stored = credentialsOf(world.sandbox, world.baseUrl, access)[type] ?? {};
  return await testCredential(world.engine, type, { ...stored, ...changes });
}

describe.each([
  [apiKey, 'API key'],
  [clientCredentials, 'access token'],
])('the dialog of %s', (type, what) => {
  it('accepts what works, however it was pasted', async () => {
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
  });

  it('accepts an access without the scope of the test, and says which one it lacks', async () => {
    world.sandbox.faults.add({ fault: 'status', status: 403, path: '/screens' });
    expect(await dialog(type)).toEqual({
      status: 'OK',
      message: `The ${what} works but has no screens:read scope, which this test needs. Operations within its scopes will work.`,
    });
  });

  const failures: ReadonlyArray<readonly [string, FaultRule, string]> = [
    [
      'a base URL that leads elsewhere',
      { fault: 'status', status: 404, path: '/screens', detail: 'No such page.' },
      'Nothing answers as the partner interface at this base URL (404). The service says: "No such page." Check the address: it ends in /api/v1.',
    ],
    [
      'a redirect, which would carry the credential along',
      {
        fault: 'status',
        status: 302,
        path: '/screens',
        headers: { location: 'https://elsewhere.example/' },
      },
      'List Screens was answered with a redirect (status 302 to https://elsewhere.example), which is not followed because it would carry your credentials along. Check the base URL.',
    ],
    [
      'a rate limit that is reached',
      { fault: 'status', status: 429, path: '/screens', headers: { 'retry-after': '17' } },
      'Rate limit reached. Test again in 17 s.',
    ],
    [
      'a service that fails',
      { fault: 'status', status: 503, path: '/screens', detail: 'Down for maintenance.' },
      'The service failed (503). The service says: "Down for maintenance." The credential was not judged. Test again in a minute.',
    ],
  ];
  it.each(failures)('says what to do about %s', async (_what, fault, message) => {
    world.sandbox.faults.add(fault);
    expect(await dialog(type)).toEqual({ status: 'Error', message });
  });

  it.each([
    [
      { baseUrl: '' },
      'The base URL is missing. Paste it whole, such as https://service.example/api/v1.',
    ],
    [
      { baseUrl: 'service.example' },
      'The base URL is not a web address. Paste it whole, such as https://service.example/api/v1.',
    ],
    [
      { baseUrl: 'http://service.example' },
      'The base URL must start with https, because it carries your credentials. Paste https://service.example/api/v1 instead.',
    ],
    [
      { baseUrl: 'http://127.0.0.1:1' },
      '127.0.0.1:1 refused the connection (ECONNREFUSED). Check the base URL and that the service is running. If n8n runs in a container, use host.docker.internal in place of this host.',
    ],
  ])('says what to do about %j', async (changes, message) => {
    expect(await dialog(type, changes)).toEqual({ status: 'Error', message });
  });
});

it.each([
  [
    apiKey,
    { apiKey: '' },
    'The API key is missing. Paste the one that the Screen Advertising team gave you.',
  ],
  [
    apiKey,
    { apiKey: 'secret-of-a-client' },
    'The API key must start with svc_. If you were given a client ID and a client secret, use client credentials instead.',
  ],
  [
    apiKey,
    { apiKey: 'svc_half a key' },
    'The API key is incomplete or holds characters that no key has. Copy it again, whole.',
  ],
  [
    apiKey,
    { apiKey: 'svc_not_the_right_one' },
    'The service does not accept the API key (401). The service says: "The API key is not known." Copy the key again, whole, and check that it belongs to this base URL.',
  ],
  [
    clientCredentials,
    { clientId: '' },
    'The client ID is missing. Paste the one that the Screen Advertising team gave you.',
  ],
  [
    clientCredentials,
    { clientSecret: '' },
    'The client secret is missing. Paste the one that the Screen Advertising team gave you.',
  ],
  [
    clientCredentials,
    { clientSecret: 'svc_x' },
    'The client secret must not start with svc_: that is an API key, which is used without a client ID.',
  ],
  [
    clientCredentials,
    { clientSecret: 'not-the-right-one' },
    'The client ID or the client secret is wrong. Check that both were copied whole, belong together and to this base URL, and were not withdrawn.',
  ],
])('%s with %j', async (type, changes, message) => {
  expect(await dialog(type, changes)).toEqual({ status: 'Error', message });
});

it('a secret that was withdrawn is noticed, although an earlier test has a token', async () => {
  await dialog(clientCredentials);
  world.sandbox.faults.add({ fault: 'status', status: 401, path: '/oauth/token' });
  expect(await dialog(clientCredentials)).toMatchObject({ status: 'Error' });
});
