import { describe, expect, it, jest } from '@jest/globals';
import { useService, withService } from './app/use-service.ts';
import { createZapierRunner, credentialKinds, readZapierError } from './app/zapier.ts';

const hourMs = 60 * 60 * 1000;

const service = useService();

function tokenRequests(): number {
  return service()
    .calls()
    .filter((call) => call.startsWith('POST /oauth/token')).length;
}

/** The app and the service read the time from the same machine. */
function letTimePass(ms: number): void {
  const later = Date.now() + ms;
  const start = performance.now();
  jest.spyOn(Date, 'now').mockImplementation(() => later + Math.floor(performance.now() - start));
}

function connectWith(form: Record<string, string>) {
  const runner = createZapierRunner({
    baseUrl: service().baseUrl,
    credentials: { apiKey: '' },
    fields: form,
  });
  return runner.connect().catch(readZapierError);
}

describe.each(credentialKinds)('a connection with %s', (kind) => {
  it('is made, and is named as the person chose, else after the host and the access', async () => {
    const credentials = service().credentialsOf(kind, 'full');
    const { baseUrl } = service();
    const access = kind === 'API key' ? '…9a61' : 'sandbox-full';
    expect(await createZapierRunner({ baseUrl, credentials }).connect()).toBe(
      `${new URL(baseUrl).host} (${access})`,
    );
    const fields = { connection_name: 'Spring campaign' };
    const named = createZapierRunner({ baseUrl, credentials, fields });
    expect(await named.connect()).toBe('Spring campaign');
  });

  it('also succeeds when the access may not read screens', async () => {
    service().sandbox.faults.add({ path: '/screens', fault: 'status', status: 403 });
    expect(await service().connect({ kind, access: 'limited' })).toHaveProperty('run');
  });
});

describe('the token of a connection', () => {
  it('is requested once for twenty actions within the hour, and once again after it', async () => {
    const zapier = await service().connect({ kind: 'client credentials' });
    for (let action = 0; action < 20; action += 1) {
      await zapier.search('find_user', { email: `lead-${action}@example.com` });
    }
    expect(tokenRequests()).toBe(1);
    letTimePass(hourMs);
    await zapier.search('find_user', { email: 'lead@example.com' });
    expect(tokenRequests()).toBe(2);
  });

  it('is replaced a minute before its expiry, so that no request is refused', async () => {
    const zapier = await service().connect({ kind: 'client credentials' });
    letTimePass(hourMs - 59_000);
    await zapier.search('find_user', { email: 'lead@example.com' });
    expect(tokenRequests()).toBe(2);
    expect(
      service()
        .calls()
        .filter((call) => call.endsWith(' 401')),
    ).toEqual([]);
  });

  it('is replaced when the service refuses it before its time', async () => {
    const zapier = await service().connect({ kind: 'client credentials' });
    letTimePass(61_000);
    service().sandbox.faults.add({ path: '/users/lookup', fault: 'status', status: 401, times: 1 });
    expect(await zapier.search('find_user', { email: 'nobody@example.com' })).toEqual([]);
    expect(tokenRequests()).toBe(2);
  });

  it('is replaced at most once an hour for a scope that is missing', async () => {
    const zapier = await service().connect({ kind: 'client credentials' });
    service().sandbox.faults.add({ path: '/users/lookup', fault: 'status', status: 403 });
    const start = Date.now();
    for (let minute = 0; minute < 55; minute += 5) {
      jest.restoreAllMocks();
      letTimePass(start + minute * 60_000 - Date.now());
      const search = zapier.search('find_user', { email: 'nobody@example.com' });
      expect(await search.catch(readZapierError)).toMatchObject({
        name: 'AppError',
        message: expect.stringContaining('lacks the scope users:read'),
      });
    }
    expect(tokenRequests()).toBe(2);
  });

  it('is not requested by the test of the connection', async () => {
    const zapier = await service().connect({ kind: 'client credentials' });
    service().sandbox.journal.clear();
    await zapier.run('authentication.test');
    expect(service().calls()).toEqual(['GET /screens?limit=1 200']);
  });
});

describe('a connection that fails says why', () => {
  it('when the client secret is wrong', async () => {
    const form = { client_id: 'sandbox-full', client_secret: 'wrong' };
    expect(await connectWith(form)).toMatchObject({
      name: 'AppError',
      // The secret is a word of the sentence.
      message:
        'The client ID or client secret is wrong. The service says: "The client_id or client_secret is [redacted]." Check that both are complete, belong together and to this Base URL, and have not been revoked.',
    });
  });

  it('when the API key is wrong', async () => {
    expect(await connectWith({ api_key: 'svc_wrong' })).toMatchObject({
      name: 'AppError',
      status: 401,
      message:
        'The test of the connection failed: the service did not accept the credentials (401). The service says: "The API key is unknown." Check that the credentials are complete, belong to the Base URL, and have not been revoked.',
    });
  });

  it('when nothing listens at the base URL', async () => {
    const gone = await withService({}, async ({ baseUrl }) => baseUrl);
    const { host } = new URL(gone);
    // Retries do not wait.
    jest.spyOn(Math, 'random').mockReturnValue(0);
    expect(await connectWith({ base_url: gone, api_key: 'svc_abc' })).toMatchObject({
      name: 'AppError',
      code: 'network_error',
      message: `The test of the connection failed: ${host} refused the connection (ECONNREFUSED). Check the Base URL and that the service is running.`,
    });
  });

  it('when the service got too many token requests', async () => {
    service().sandbox.faults.add({
      path: '/oauth/token',
      fault: 'status',
      status: 429,
      headers: { 'retry-after': '30' },
    });
    const form = { client_id: 'sandbox-full', client_secret: 'wrong' };
    expect(await connectWith(form)).toEqual({
      name: 'ThrottledError',
      delay: 30,
      message:
        'The access token request failed: rate limit reached (429). The service says: "A fault rule returns status 429 for this request." Test the connection again in 30 s.',
    });
  });

  it('when the service is out of order, and where there is no step to replay', async () => {
    service().sandbox.faults.add({ path: '/screens', fault: 'status', status: 503 });
    expect(await service().connect().catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message:
        'The test of the connection failed: the service reported an error (503). The service says: "A fault rule returns status 503 for this request." Test the connection again later.',
    });
  });
});

it('a client secret that is revoked asks the owner to connect again', async () => {
  const zapier = await service().connect({ kind: 'client credentials' });
  letTimePass(61_000);
  service().sandbox.faults.add({ path: '/**', fault: 'status', status: 401 });
  const search = zapier.search('find_user', { email: 'a@example.com' });
  expect(await search.catch(readZapierError)).toEqual({
    name: 'ExpiredAuthError',
    message:
      'The client ID or client secret is wrong. The service says: "A fault rule returns status 401 for this request." Check that both are complete, belong together and to this Base URL, and have not been revoked. Then connect again.',
  });
});

it.each([
  ['API key', 0],
  ['client credentials', 0],
  ['client credentials', 61_000],
] as const)(
  'an access that is suspended asks the owner to connect again, with the words of the service: %s after %d ms',
  async (kind, ms) => {
    const zapier = await service().connect({ kind });
    letTimePass(ms);
    const detail = 'The access is suspended until 1 April.';
    service().sandbox.faults.add({ path: '/users/lookup', fault: 'status', status: 401, detail });
    const search = zapier.search('find_user', { email: 'a@example.com' });
    expect(await search.catch(readZapierError)).toEqual({
      name: 'ExpiredAuthError',
      message: `Find User failed: the service did not accept the credentials (401). The service says: "${detail}" Check that the credentials are complete, belong to the Base URL, and have not been revoked. Then connect again.`,
    });
  },
);

it.each(['base_url', 'api_key', 'connection_name'])(
  'a placeholder that nothing filled in is refused in the field %s of a connection',
  async (field) => {
    const labels = { base_url: 'Base URL', api_key: 'API Key', connection_name: 'Connection Name' };
    const form = { api_key: 'svc_abc', [field]: 'svc_{{bundle.authData.key}}' };
    expect(await connectWith(form)).toMatchObject({
      name: 'AppError',
      code: 'invalid_configuration',
      message: `${labels[field as 'api_key']} has a placeholder in curly brackets, which nothing fills in. Enter the value itself.`,
    });
    expect(service().calls()).toEqual([]);
  },
);
