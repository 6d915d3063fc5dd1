import { describe, expect, it } from '@jest/globals';
import type {
  IAuthenticate,
  ICredentialDataDecryptedObject,
  IHttpRequestOptions,
} from 'n8n-workflow';
import { credentialsOf, Engine } from './engine.ts';
import { storedToken } from './stored-token.ts';
import { startWorld, useWorld } from './world.ts';

const world = useWorld();

const type = 'screenAdvertisingClientCredentialsApi';
const lookUp = {
  authentication: 'clientCredentials',
  resource: 'user',
  operation: 'lookUp',
  email: 'nobody@example.com',
};
const tokenRequests = () =>
  world.sandbox.journal.list().filter(({ operation }) => operation === 'token').length;

/** The statuses of the requests for a path. */
const asked = (path: string) =>
  world.sandbox.journal
    .list()
    .filter((entry) => entry.path.split('?')[0] === path)
    .map(({ status }) => status);

/** An engine whose credential differs; its client ID has not been used before. */
async function engineWith(changes: Record<string, string>): Promise<Engine> {
  const stored = credentialsOf(world.sandbox, world.baseUrl);
  return await Engine.start({ ...stored, [type]: { ...stored[type], ...changes } });
}

/** An engine whose token was issued, and has expired. */
async function engineWithOldToken(): Promise<Engine> {
  const { [type]: access = {} } = credentialsOf(world.sandbox, world.baseUrl);
  return await engineWith({ accessToken: storedToken(access, 'expired') });
}

describe('access tokens', () => {
  it('5 parallel executions without a token make 1 token request', async () => {
    const engine = await engineWith({ accessToken: '' });
    const results = await Promise.all(
      Array.from({ length: 5 }, () =>
        engine.runNode({ type: 'screenAdvertising', parameters: lookUp }),
      ),
    );
    expect(results.map(({ error }) => error)).toEqual(Array(5).fill(undefined));
    expect(tokenRequests()).toBe(1);
    expect(engine.credentials[type]?.accessToken).toEqual(expect.any(String));
  });

  it('an expired token is renewed for all items together, and each is sent again', async () => {
    const engine = await engineWithOldToken();
    await world.sandbox.clock.advance(3_601_000);
    const { error, output } = await engine.runNode(
      { type: 'screenAdvertising', parameters: lookUp },
      { items: Array(30).fill({}) },
    );
    expect(error).toBeUndefined();
    expect(output('Screen Advertising')).toHaveLength(30);
    expect(tokenRequests()).toBe(1);
    expect(asked('/users/lookup').toSorted()).toEqual([
      ...Array(30).fill(200),
      ...Array(30).fill(401),
    ]);
  });

  it("the service's message after a token renewal is shown in full", async () => {
    const coupon = {
      ...lookUp,
      resource: 'coupon',
      operation: 'create',
      discount_type: 'free_days',
      discount_value: 2,
      lead_email: 'lead@example.com',
    };
    const other = { authentication: 'apiKey', additionalFields: { code: 'OTHER' } };
    await world.items({ ...coupon, ...other });
    const engine = await engineWithOldToken();
    const { error } = await engine.runNode({ type: 'screenAdvertising', parameters: coupon });
    expect(error).toMatchObject({
      httpCode: '409',
      message: expect.stringMatching(/has an active coupon that was not made with/),
    });
    expect(asked('/coupons')).toEqual([201, 401, 409]);
  });

  it.each([
    [3, undefined],
    [4, 'The service is not available (503)'],
  ])('a token endpoint that fails %i times is asked 4 times', async (times, message) => {
    const { sandbox, run, stop } = await startWorld({ clock: 'frozen' });
    sandbox.faults.add({ fault: 'status', status: 503, path: '/oauth/token', times });
    const { error } = await run(lookUp);
    expect(error?.message).toBe(message);
    const asked = sandbox.journal.list().filter(({ path }) => path.endsWith('/oauth/token'));
    expect(asked).toHaveLength(4);
    await stop();
  });

  it('a wrong secret makes 1 token request, and the message names the credential', async () => {
    const engine = await engineWith({ clientSecret: 'not-the-secret' });
    const { error } = await engine.runNode(
      { type: 'screenAdvertising', parameters: lookUp },
      { items: Array(20).fill({}) },
    );
    expect(tokenRequests()).toBe(1);
    expect(error?.name).toBe('NodeApiError');
    expect(error?.httpCode).toBe('401');
    expect(error?.message).toBe('The credential "Screen Advertising account" does not work');
    expect(error?.description).toBe(
      'The client ID or client secret is wrong. The service says: "The client_id or client_secret is wrong." Check that both are complete, belong together and to this base URL, and have not been revoked.',
    );
  });
});

it('a service that refuses every request is not asked for an access token per item', async () => {
  const engine = await Engine.start(credentialsOf(world.sandbox, world.baseUrl, 'second'));
  world.sandbox.faults.add({ fault: 'status', status: 401, path: '/users/lookup' });
  const result = await engine.runNode(
    { type: 'screenAdvertising', parameters: lookUp, onError: 'continueRegularOutput' },
    { items: Array(30).fill({}) },
  );
  expect(result.output('Screen Advertising')[29]?.json).toMatchObject({
    error: expect.stringMatching(/^The service did not accept the credential /),
    details: { status: 401 },
  });
  expect(tokenRequests()).toBeLessThanOrEqual(4);
});

it('a 403 to a token renews it once for all items, and then at most once an hour', async () => {
  const later = await startWorld({ clock: 'frozen' });
  const items = Array(5).fill({});
  const requested = (start: string) =>
    later.sandbox.journal.list().filter(({ path }) => path.startsWith(start)).length;
  const forbidden = { fault: 'status', status: 403, path: '/users/lookup' } as const;
  await later.items(lookUp);
  await later.sandbox.clock.advance(120_000);
  later.sandbox.journal.clear();
  later.sandbox.faults.add({ ...forbidden, times: items.length });
  expect(await later.items(lookUp, { items })).toHaveLength(items.length);
  expect([requested('/oauth/token'), requested('/users/lookup')]).toEqual([1, 10]);

  later.sandbox.journal.clear();
  later.sandbox.faults.add(forbidden);
  for (let run = 0; run < 24; run += 1) {
    await later.sandbox.clock.advance(600_000);
    const { error } = await later.run(lookUp, { items });
    expect(error?.httpCode).toBe('403');
  }
  // Four hours, and one for the expired token.
  expect(requested('/oauth/token')).toBeLessThanOrEqual(5);
  await later.stop();
});

it('a failure of n8n itself is reported without its details', async () => {
  const credential = world.engine.package.credentials.get(type);
  const data = { baseUrl: world.baseUrl, clientId: 'other', clientSecret: 'secret' };
  const helpers = {
    httpRequest: async () => {
      throw new Error('The address is blocked, and this is the request with its secret');
    },
  };
  await expect(
    credential?.preAuthentication?.call({ helpers } as never, { ...data, accessToken: '' }),
  ).rejects.toThrow(
    /^The credential "Screen Advertising Client Credentials API" does not work\. Cause: n8n could not get an access token\.$/,
  );
});

const withToken = (access: ICredentialDataDecryptedObject) => ({
  ...access,
  accessToken: storedToken(access, 'token'),
});

/** What n8n asks a credential to add to a request. */
async function authenticate(name: string, data: object, request: object) {
  const credential = world.engine.package.credentials.get(name);
  const add = credential?.authenticate as Extract<IAuthenticate, CallableFunction>;
  return await add(data as never, request as IHttpRequestOptions);
}

it('a token that arrives too late keeps the request from being sent, and the error says so', async () => {
  const data = { baseUrl: world.baseUrl, clientId: 'x', clientSecret: 'x' };
  const request = { url: `${world.baseUrl}/screens`, abortSignal: AbortSignal.abort() };
  await expect(authenticate(type, withToken(data), request)).rejects.toThrow(
    'The request was not sent: the access token arrived too late. Retry, or allow more time.',
  );
});

it.each(['apiKey', 'clientCredentials'])(
  'a base URL that cannot be used is refused with what to paste instead, with %s',
  async (authentication) => {
    const baseUrl = 'http://service.example/api/v1';
    const engine = await Engine.start({
      screenAdvertisingApi: { baseUrl, apiKey: 'svc_x' },
      [type]: { baseUrl, clientId: 'x', clientSecret: 'x' },
    });
    const { error } = await engine.runNode({
      type: 'screenAdvertising',
      parameters: { ...lookUp, authentication },
    });
    expect(error?.name).toBe('NodeOperationError');
    expect(error?.message).toMatch(
      /^The credential "Screen Advertising account" cannot be used: The base URL must .* Paste https:\/\/service\.example\/api\/v1 instead\.$/,
    );
  },
);

describe("in n8n's HTTP Request node", () => {
  const data = { baseUrl: 'https://service.example/api/v1', apiKey: 'svc_x' };

  it.each([
    ['screenAdvertisingApi', data, 'Bearer svc_x'],
    [type, withToken({ ...data, clientId: 'x', clientSecret: 'x' }), 'Bearer token'],
  ])('%s sends its bearer token to the base URL', async (name, credential, authorization) => {
    const url = 'https://service.example/api/v1/screens';
    const headers = { accept: '*/*' };
    expect(await authenticate(name, credential, { url, headers })).toEqual({
      url,
      headers: { ...headers, authorization },
      disableFollowRedirect: true,
      maxRedirects: 0,
    });
    // As older nodes name it.
    expect(await authenticate(name, credential, { uri: url })).toMatchObject({
      headers: { authorization },
    });
  });

  it.each(['https://elsewhere.example/', 'http://service.example/api/v1', 'not an address'])(
    'and not to %s',
    async (url) => {
      await expect(authenticate('screenAdvertisingApi', data, { url })).rejects.toThrow(
        'The Screen Advertising credential was not sent, because it is only for https://service.example. Check the URL of the request, or the Base URL of the credential.',
      );
    },
  );
});
