import type { FaultRule } from '@screen-advertising/sandbox';

/** A mistake in a credential, or a reason why a correct one cannot be tested. */
export interface CredentialMistake {
  /** As a reader of the guide would name it. */
  readonly when: string;
  /** The fields that differ from a working credential. */
  readonly changes?: Readonly<Record<string, string>>;
  readonly fault?: FaultRule;
  /** What the test of the credential returns, if not "Error". */
  readonly status?: 'OK';
  readonly says: string;
  /** What a person reads in n8n's dialog, if it differs from the result of the test. */
  readonly shown?: string;
  /** Whether the guide shows the dialog with it. */
  readonly isPictured?: true;
}

const required = 'This field is required';
const succeeded = 'Connection tested successfully';
const whence = 'Paste the one the Screen Advertising team gave you.';
const whole = 'Paste the whole address, such as https://service.example/api/v1.';
const instead = 'Paste https://service.example/api/v1 instead.';

const page =
  '<!doctype html><html><head><title>Our company</title></head><body>Welcome</body></html>';

/** Mistakes in the address, the service or the scopes alone. */
const ofBoth = (what: string, ofPage: string): readonly CredentialMistake[] => [
  {
    when: 'no base URL',
    changes: { baseUrl: '' },
    says: `The base URL is missing. ${whole}`,
    shown: required,
  },
  {
    when: 'a base URL without https://',
    changes: { baseUrl: 'service.example/api/v1' },
    says: 'The base URL must start with https://. Paste https://service.example/api/v1 instead.',
  },
  {
    when: 'http in a public network',
    changes: { baseUrl: 'http://service.example/api/v1' },
    says: `The base URL must start with https, because it carries your credentials. ${instead}`,
  },
  {
    when: 'another version',
    changes: { baseUrl: 'https://service.example/api/v2' },
    says: `The base URL must end in /api/v1, the supported version. ${instead}`,
  },
  {
    when: 'a user name in the base URL',
    changes: { baseUrl: 'https://user@service.example/api/v1' },
    says: `The base URL must not contain a username or password. ${instead}`,
  },
  {
    when: 'a query in the base URL',
    changes: { baseUrl: 'https://service.example/api/v1?a=1' },
    says: `The base URL must not contain ? or #. ${instead}`,
  },
  {
    when: 'a host that does not listen',
    changes: { baseUrl: 'http://127.0.0.1:1/api/v1' },
    says: '127.0.0.1:1 refused the connection (ECONNREFUSED). Check the base URL and that the service is running. If n8n runs in a container, use host.docker.internal instead of this host.',
  },
  {
    // No valid name has two dots in a row, so this fails without a network request.
    when: 'a host that does not exist',
    changes: { baseUrl: 'https://service..example/api/v1' },
    says: 'service..example could not be found (ENOTFOUND). Check the host name in the base URL.',
  },
  {
    when: 'the address of a web page',
    fault: { fault: 'status', status: 200, body: page, contentType: 'text/html' },
    says: ofPage,
  },
  {
    when: 'the address of something else (404)',
    fault: { fault: 'status', status: 404, path: '/screens', detail: 'No such page.' },
    says: 'The service was not found at this base URL (404). The service says: "No such page." Check the address: it ends in /api/v1.',
  },
  {
    when: 'an address that redirects',
    fault: {
      fault: 'status',
      status: 302,
      path: '/screens',
      headers: { location: 'https://elsewhere.example/' },
    },
    says: 'List Screens failed: redirects are not followed, to protect credentials (302 to https://elsewhere.example). Check the base URL.',
  },
  what === 'API key'
    ? {
        when: 'an access without screens:read (403)',
        fault: { fault: 'status', status: 403, path: '/screens' },
        status: 'OK',
        says: `The ${what} works but has no screens:read scope, which this test needs. Operations within its scopes will work.`,
        shown: succeeded,
      }
    : {
        when: 'a 403, although the token has screens:read',
        fault: { fault: 'status', status: 403, path: '/screens' },
        says: 'List Screens failed: the service refused it, though the token has the scope (403). The service says: "A fault rule returns status 403 for this request." Ask the Screen Advertising team why.',
      },
  {
    when: 'too many requests (429)',
    fault: { fault: 'status', status: 429, path: '/screens', headers: { 'retry-after': '17' } },
    says: 'Rate limit reached. Test again in 17 s.',
  },
  {
    when: 'a service that fails (503)',
    fault: { fault: 'status', status: 503, path: '/screens', detail: 'Down for maintenance.' },
    says: 'The service is not available (503). The service says: "Down for maintenance." The credential was not checked. Test again in a minute.',
  },
];

/** By credential type: for the node's test, the guide to its messages and its pictures. */
export const credentialMistakes: Readonly<Record<string, readonly CredentialMistake[]>> = {
  screenAdvertisingApi: [
    {
      when: 'no key',
      changes: { apiKey: '' },
      says: `The API key is missing. ${whence}`,
      shown: required,
    },
    {
      when: 'no API key but something else',
      changes: { apiKey: 'secret-of-a-client' },
      says: 'The API key must start with svc_. If you have a client ID and a client secret, use client credentials instead.',
    },
    {
      when: 'half a key',
      changes: { apiKey: 'svc_half a key' },
      says: 'The API key is incomplete or contains invalid characters. Copy the whole key again.',
    },
    {
      when: 'a wrong key (401)',
      isPictured: true,
      changes: { apiKey: 'svc_not_the_right_one' },
      says: 'The service does not accept the API key (401). The service says: "The API key is unknown." Copy the whole key again, and check that it belongs to this base URL.',
    },
    ...ofBoth(
      'API key',
      `List Screens failed: the response with status 200 is not the expected JSON. The body: text/html, ${page.length} characters, titled "Our company". Check that the base URL leads to the service and not to a web page.`,
    ),
  ],
  screenAdvertisingClientCredentialsApi: [
    {
      when: 'no client ID',
      changes: { clientId: '' },
      says: `The client ID is missing. ${whence}`,
      shown: required,
    },
    {
      when: 'no client secret',
      changes: { clientSecret: '' },
      says: `The client secret is missing. ${whence}`,
      shown: required,
    },
    {
      when: 'an API key as the client ID',
      changes: { clientId: 'svc_x' },
      says: 'The client ID must not start with svc_. If you have an API key, use it alone, without a client ID.',
    },
    {
      when: 'an API key as the secret',
      changes: { clientSecret: 'svc_x' },
      says: 'The client secret must not start with svc_. If you have an API key, use it alone, without a client ID.',
    },
    {
      when: 'a wrong client ID',
      changes: { clientId: 'not-the-right-one' },
      says: 'The client ID or client secret is wrong. The service says: "The client_id or client_secret is wrong." Check that both are complete, belong together and to this base URL, and have not been revoked.',
    },
    {
      when: 'a wrong secret',
      changes: { clientSecret: 'not-the-right-one' },
      says: 'The client ID or client secret is wrong. The service says: "The client_id or client_secret is wrong." Check that both are complete, belong together and to this base URL, and have not been revoked.',
    },
    {
      when: 'an access token that is refused (401)',
      fault: { fault: 'status', status: 401, path: '/screens', detail: 'Not for this service.' },
      says: 'The service rejected the access token that it just issued (401). The service says: "Not for this service." Check that the base URL is the one you got with the client ID. If it is, tell the Screen Advertising team.',
    },
    {
      when: 'too many requests for tokens',
      fault: {
        fault: 'status',
        status: 429,
        path: '/oauth/token',
        headers: { 'retry-after': '17' },
      },
      says: 'Rate limit reached. Test again in 17 s.',
    },
    ...ofBoth(
      'access token',
      'The access token request failed: the response with status 200 has no usable token. Check that the base URL leads to the service.',
    ),
  ],
  screenAdvertisingWebhookApi: [
    {
      when: 'no signing secret',
      changes: { signingSecret: '' },
      says: `The signing secret is missing. ${whence}`,
      shown: required,
    },
    {
      when: 'a signing secret of white space',
      changes: { signingSecret: ' ' },
      says: `The signing secret is missing. ${whence}`,
    },
    {
      when: 'an API key as the signing secret',
      changes: { signingSecret: 'svc_sandbox_full_4f7d2c9a61' },
      says: 'This is an API key, not a signing secret. It belongs into a Screen Advertising API credential. Paste the signing secret that the Screen Advertising team gave you.',
    },
    {
      when: 'a connector key as the previous signing secret',
      changes: { previousSigningSecret: ` rly_${'a'.repeat(43)}.whsec_${'a'.repeat(44)}` },
      says: 'This is the connector key of a relay, not a signing secret. It belongs into a Screen Advertising Relay API credential. Paste the signing secret that the Screen Advertising team gave you.',
    },
    {
      when: 'a signing secret',
      status: 'OK',
      says: 'The secret can be used. Whether it is the right one shows with the first delivery.',
      shown: succeeded,
    },
  ],
};
