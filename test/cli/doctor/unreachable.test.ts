import { describe, expect, it } from '@jest/globals';
import { apiKey, nodeTransport } from '@screen-advertising/core';
import { runDoctorChecks } from '../../../packages/cli/src/doctor/doctor-command.ts';
import { ProblemResponseError } from '../../../packages/relay/src/base/http.ts';
import { start } from '../../sandbox/support/running-sandbox.ts';
import { environment, typed } from '../command.ts';
import { serve } from '../serve.ts';
import { clientCredentials, doctor, questions } from './support.ts';

const address =
  'set SCREEN_ADVERTISING_BASE_URL to the address that the Screen Advertising team gave you, which ends in /api/v1.';
const check = 'check that it is complete, belongs to this base URL, and has not been revoked.';
const page = (title: string) => `<!doctype html><html><head><title>${title}</title></head></html>`;
const html = { 'content-type': 'text/html' };
const nginx = page('404 Not Found');

/** 3: what you set is wrong; 7: the service is down, or limits requests. */
const codeOf = (sentence: string) => (/reported an error|Rate limit/.test(sentence) ? 7 : 3);

async function expectSentence(answer: Parameters<typeof serve>[0], sentence: string) {
  const { baseUrl, requests } = await serve(answer);
  for (const env of [
    environment(baseUrl, { apiKey: 'svc_example' }),
    clientCredentials(baseUrl, 'example-id', 'example-secret'),
  ]) {
    const { code, errors, by } = await doctor(env);
    expect({ code, errors }).toEqual({ code: codeOf(sentence), errors: `${sentence}\n` });
    expect(
      by('not_seen')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(questions().sort());
  }
  expect(requests.length).toBeLessThanOrEqual(3);
}

describe('doctor says in one sentence what to do', () => {
  it.each<[string, Parameters<typeof serve>[0], string]>([
    [
      'nginx',
      () => [404, nginx, html],
      `The base URL leads to a web page (404, titled "404 Not Found"): ${address}`,
    ],
    [
      'a redirect to a login page',
      () => [302, '', { location: 'https://login.example/?next=secret' }],
      `The base URL redirects to login.example (302), such as to a login page: ${address}`,
    ],
    [
      'another interface, which has everything',
      () => [200, { access_token: 'token', status: 'ok' }],
      `The base URL leads to something else than the service (200): ${address}`,
    ],
    [
      'a service that is down',
      () => [503, page('503 Service Unavailable'), html],
      'The service, or something in front of it, reported an error (503): run doctor again in a few minutes, and report it to the Screen Advertising team if this lasts.',
    ],
    [
      'a used-up rate limit',
      () => [429, { title: 'Too many requests' }],
      'Rate limit reached (429): run doctor again in a minute.',
    ],
  ])('%s', (_name, answer, sentence) => expectSentence(answer, sentence));

  it('where its requests went, if the base URL has no version', async () => {
    const { baseUrl } = await serve(() => [404, nginx, html]);
    const root = baseUrl.replace('/api/v1', '');
    const { errors } = await doctor(environment(`${root}/partners/`, { apiKey: 'svc_example' }));
    expect(errors).toMatch(/^The base URL leads to a web page /);
    expect(errors.endsWith(` doctor read the base URL as ${root}/partners/api/v1.\n`)).toBe(true);
  });

  it('a relay', async () => {
    const problem = new ProblemResponseError('unauthorized', 'No token.');
    const body = await problem.toResponse().text();
    const sentence = `The base URL leads to a relay, not to the service: ${address}`;
    await expectSentence(() => [401, body], sentence);
  });

  it.each([
    [
      'http://127.0.0.1:1/api/v1',
      7,
      /^127\.0\.0\.1:1 refused the connection \(ECONNREFUSED\)\. Check the base URL and that the service is running\.\n$/,
    ],
    [
      'https://service.example/api/v2',
      3,
      /^The base URL must end in \/api\/v1, the supported version\./,
    ],
  ])('%s', async (baseUrl, exitCode, sentence) => {
    const env = environment(baseUrl, { apiKey: 'svc_example' });
    const { code, output, errors } = await typed(['doctor'], env);
    expect({ code, output }).toEqual({ code: exitCode, output: '' });
    expect(errors).toMatch(sentence);
  });

  it('no response in time', async () => {
    const { baseUrl } = await serve(() => undefined);
    const inner = nodeTransport();
    const transport = {
      ...inner,
      send: (request: Parameters<typeof inner.send>[0]) =>
        // Time enough to connect, on a busy machine too.
        inner.send({ ...request, timeoutMs: 2_000 }),
    };
    const { failure } = await runDoctorChecks(
      {
        baseUrl,
        auth: apiKey('svc_example'),
        transport,
        userAgent: 'test',
        stop: new AbortController().signal,
      },
      { write: false },
    );
    expect(failure?.message).toMatch(
      /^127\.0\.0\.1:\d+ did not send a complete response in time\. Retry,/,
    );
  });

  it.each(['400', '401', '403'] as const)('a wrong client secret (%s)', async (status) => {
    const { baseUrl, full, sandbox } = await start({ variants: { refusedCredentials: status } });
    const env = clientCredentials(baseUrl, full.clientId, 'wrong-secret');
    const { code, errors, output } = await doctor(env);
    expect({ code, errors }).toEqual({
      code: 3,
      errors: `The service refused the client ID or client secret (${status}): ${check} The service says: "The client_id or client_secret is wrong."\n`,
    });
    expect(output).not.toMatch(/wrong-secret|sandbox-full/);
    expect(sandbox.journal.list()).toHaveLength(1);
  });

  it('a wrong API key', async () => {
    const { baseUrl } = await start();
    const { code, errors } = await doctor(environment(baseUrl, { apiKey: 'svc_wrong' }));
    expect({ code, errors }).toEqual({
      code: 3,
      errors: `The service refused the API key (401): ${check} The service says: "The API key is unknown."\n`,
    });
  });

  it('keeps secrets out of what the service says', async () => {
    const { baseUrl } = await serve(({ body, bearer }) => [
      401,
      { detail: `wrong: ${bearer ?? Object.values(body)}` },
    ]);
    for (const env of [
      environment(baseUrl, { apiKey: 'svc_example_key' }),
      clientCredentials(baseUrl, 'example-id', 'example-secret'),
    ]) {
      const { errors } = await doctor(env);
      expect(errors).toContain('[redacted]');
      expect(errors).not.toMatch(/example-id|example-secret|svc_example_key/);
    }
  });
});

describe('an access without any scope', () => {
  it('is accepted, and doctor names what it lacks', async () => {
    const { sandbox } = await start();
    const accesses = [{ ...sandbox.accesses[0], scopes: [] }] as const;
    const { baseUrl, full } = await start({ accesses });
    const { code, printed, by } = await doctor(environment(baseUrl, full));
    expect(code).toBe(0);
    const missing = printed.checks.find(({ id }) => id === 'missingScope');
    expect(missing).toMatchObject({
      state: 'as_assumed',
      found:
        'Without screens:read, campaign_requests:read, coupons:read or coupons:write, users:read: 403',
    });
    expect(by('not_seen')).toContainEqual(
      expect.objectContaining({
        id: 'coordinates',
        found: 'GET /screens returns 403: the access lacks the scope',
      }),
    );
  });
});
