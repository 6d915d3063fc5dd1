import { describe, expect, it } from '@jest/globals';
import {
  clientCredentials,
  operations,
  ProblemError,
  ResponseError,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { key, useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import type { Step } from '../support/scripted-service.ts';
import { problem } from '../support/steps.ts';

const bench = useBench();
const getScreen = operations['screen.get'];

/** The error of a call that gets this response and is not retried. */
async function errorOf(answer: Step): Promise<ScreenAdvertisingError> {
  bench.service.on('GET /screens/scr_1', answer);
  const client = bench.client({ retry: false });
  const error = await rejection(client.call(getScreen, { screenId: 'scr_1' }));
  if (!ScreenAdvertisingError.isInstance(error)) throw error;
  return error;
}

describe('a problem document (section 7)', () => {
  const says = 'The service says: "What went wrong."';
  const revoked =
    'Check that they are complete, belong to this base URL, and have not been revoked.';
  const report = 'Report this to the Screen Advertising team.';
  const failed = (status: number) =>
    `failed: the service reported an error (${status}). ${says} Retry in a few minutes.`;
  const rejected = `failed: the service rejected the request (400). ${says} Check the fields you sent.`;
  const unknown = `failed: the service did not accept the credentials (401). ${says} ${revoked}`;
  const scope = `failed: the access lacks the scope screens:read (403). ${says} Ask the Screen Advertising team to grant it.`;
  it.each([
    [400, 'invalid_request', false, rejected],
    [401, 'authentication_failed', false, unknown],
    [403, 'missing_scope', false, scope],
    [404, 'not_found', false, `failed: not found (404). ${says} Check screenId.`],
    [408, 'service_error', true, failed(408)],
    [409, 'conflict', false, `failed because of a conflict (409). ${says}`],
    [422, 'invalid_request', false, rejected.replace('400', '422')],
    [
      405,
      'invalid_request',
      false,
      `failed: the service does not allow this method (405). ${says} ${report}`,
    ],
    [
      415,
      'invalid_request',
      false,
      `failed: the service does not take such a body (415). ${says} ${report}`,
    ],
    [429, 'rate_limited', true, `failed: rate limit reached (429). ${says} Retry in a minute.`],
    [500, 'service_error', true, failed(500)],
    [501, 'service_error', false, failed(501)],
  ])('with status %i becomes the code %s', async (status, code, isRetryable, words) => {
    const error = await errorOf(problem(status));
    expect(error).toBeInstanceOf(ProblemError);
    const message = `Get Screen ${words}`;
    expect(error).toMatchObject({ name: 'ProblemError', code, status, isRetryable, message });
    expect(error.problem).toEqual({
      type: 'about:blank',
      title: 'Title',
      status,
      detail: 'What went wrong.',
    });
  });

  it('is kept whole, with unknown members and numbers beyond 2^53', async () => {
    const error = await errorOf({
      status: 400,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
      body: '{"type":"x","errors":[{"field":"code"}],"trace":12345678901234567890,"__proto__":{"isAdmin":true}}',
    });
    expect(error.problem).toMatchObject({
      errors: [{ field: 'code' }],
      trace: '12345678901234567890',
    });
    expect(error.message).toBe(
      'Get Screen failed: the service rejected the request (400). It adds: {"errors":[{"field":"code"}],"trace":"12345678901234567890","__proto__":{"isAdmin":true}}. Check the fields you sent.',
    );
    expect(error.problem).not.toHaveProperty('isAdmin');
    expect({}).not.toHaveProperty('isAdmin');
  });

  it('says which fields were refused, beside its detail', async () => {
    const errors = [{ field: 'discount_value', message: 'must be at most 90' }];
    expect((await errorOf(problem(422, { errors }))).message).toBe(
      'Get Screen failed: the service rejected the request (422). The service says: "What went wrong." It adds: {"errors":[{"field":"discount_value","message":"must be at most 90"}]}. Check the fields you sent.',
    );
    const many = await errorOf(problem(422, { errors: 'x'.repeat(5000) }));
    expect(many.message.length).toBeLessThan(700);
  });

  it('is read whatever its content type, since a proxy may have changed it', async () => {
    const error = await errorOf(problem(404, {}, { 'content-type': 'text/html' }));
    expect(error.problem?.detail).toBe('What went wrong.');
  });

  it('yields to the status of the response when its own status differs', async () => {
    expect(await errorOf(problem(409, { status: 500 }))).toMatchObject({
      status: 409,
      code: 'conflict',
    });
  });

  it('is quoted by its title when it has no detail', async () => {
    const error = await errorOf(problem(404, { detail: undefined, title: 'Not found' }));
    expect(error.message).toBe(
      'Get Screen failed: not found (404). The service says: "Not found". Check screenId.',
    );
  });

  it('is quoted in a line of limited length, and text that looks like a limit stays', async () => {
    const error = await errorOf(problem(400, { detail: `a < b and c > d\n\t${'x'.repeat(5000)}` }));
    expect(error.message).toMatch(/says: "a < b and c > d x{180,}…/);
    expect(error.message.length).toBeLessThan(320);
    expect(error.problem?.detail).toHaveLength(5017);
  });
});

describe('an error response other than a problem document', () => {
  const type = { 'content-type': 'text/html; charset=utf-8' };
  it.each<[string, Step, string]>([
    [
      'a page of HTML',
      { headers: type, body: '<html><title>502\n Bad Gateway</title><p>Down.</p>' },
      'text/html, 49 characters, titled "502 Bad Gateway"',
    ],
    ['other JSON', { body: '{"reason":"no"}' }, 'application/json, 15 characters'],
    [
      'the JSON of a gateway',
      { body: '{"message":"Forbidden"}' },
      'application/json, 23 characters, with the message "Forbidden"',
    ],
    [
      'the JSON of another gateway',
      { body: '{"status":502,"error":"Bad Gateway"}' },
      'application/json, 36 characters, with the message "Bad Gateway"',
    ],
    ['truncated JSON', { body: '{"type":"about:bl' }, 'application/json, 17 characters'],
    [
      'a text of no type',
      { headers: { 'content-type': '?' }, body: 'upstream error' },
      'no content type, 14 characters',
    ],
  ])('%s is not quoted, except for a title or message', async (_what, answer, outline) => {
    const error = await errorOf({ ...answer, status: 502 });
    expect(error).toMatchObject({
      name: 'ProblemError',
      code: 'service_error',
      problem: undefined,
    });
    expect(error.message).toBe(
      `Get Screen failed: the service, or something in front of it, reported an error (502). The response is not a problem document, so it may come from a proxy (${outline}). Retry in a few minutes.`,
    );
  });

  const front = 'failed: the service, or something in front of it,';
  const leads = 'Check that the base URL leads to the service.';
  const proxy = (length: number) =>
    `The response is not a problem document, so it may come from a proxy (application/json, ${length} characters).`;
  it.each<[number, string, string]>([
    [400, 'unexpected_response', `${front} rejected the request (400). ${proxy(24)} ${leads}`],
    [
      401,
      'authentication_failed',
      `${front} refused the credentials (401). ${proxy(24)} Check that they are complete, belong to this base URL, and have not been revoked.`,
    ],
    [403, 'unexpected_response', `${front} refused the request (403). ${proxy(24)} ${leads}`],
    [
      404,
      'unexpected_response',
      `${front} does not know this address (404). ${proxy(24)} ${leads}`,
    ],
    [407, 'unexpected_response', `${front} rejected the request (407). ${proxy(24)} ${leads}`],
    [409, 'unexpected_response', `${front} reported a conflict (409). ${proxy(24)} ${leads}`],
    [429, 'rate_limited', `failed: rate limit reached (429). ${proxy(24)} Retry in a minute.`],
  ])('proves no more than its status %i: %s', async (status, code, words) => {
    // The JSON of a gateway, with one of the contract's names.
    const error = await errorOf({ status, body: '{"detail":"Not allowed"}' });
    const message = `Get Screen ${words}`;
    expect(error).toMatchObject({ name: 'ProblemError', status, code, message });
    expect(error.problem).toBeUndefined();
  });

  it.each([
    [{ status: 404, error: 'Not Found', path: '/api' }, false],
    [{ type: 'about:blank', title: 'Not Found', status: 404 }, true],
    [{ title: 'Not Found', status: 404, detail: 'No screen.' }, true],
    [{ title: 'Not Found', detail: 'No screen.' }, false],
  ])('needs three of the members of a problem document: %j', async (body, isOne) => {
    const error = await errorOf({ status: 404, body });
    expect(error.code).toBe(isOne ? 'not_found' : 'unexpected_response');
  });

  it('is kept in the error, cut and without secrets', async () => {
    const error = await errorOf({ status: 403, body: `{"message":"no","key":"${key}"}` });
    expect(error.unproved).toBe('{"message":"no","key":"[redacted]"}');
    const long = await errorOf({ status: 403, body: `<p>\n${'x'.repeat(5000)}` });
    expect(long.unproved).toBe(`<p> ${'x'.repeat(496)}…`);
    expect((await errorOf({ status: 403, body: ' ' })).unproved).toBeUndefined();
    expect((await errorOf(problem(403))).unproved).toBeUndefined();
  });

  it('quotes at most one line of a huge title', async () => {
    const body = `<title>x${'😀'.repeat(1500)}</title>${'😀'.repeat(500_000)}`;
    const error = await errorOf({ status: 500, body });
    expect(error.message.length).toBeLessThan(440);
    expect(error.message.isWellFormed()).toBe(true);
  });

  it('survives nesting deeper than any problem document', async () => {
    const depth = 200_000;
    const body = `{"type":"x","a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(await errorOf({ status: 400, body })).toMatchObject({
      code: 'unexpected_response',
      problem: undefined,
    });
  });
});

describe('a success response that cannot be read', () => {
  const check = 'Check that the base URL leads to the service and not to a web page.';
  const shaped = (outline: string) => `not the expected JSON. The body: ${outline}`;
  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['<html><title>Welcome</title>', shaped('application/json, 28 characters, titled "Welcome"')],
    ['{"id":"scr_', shaped('application/json, 11 characters')],
    ['null', shaped('application/json, 4 characters')],
    ['[1]', shaped('application/json, 3 characters')],
    ['"text"', shaped('application/json, 6 characters')],
  ])('%j is a ResponseError', async (body, what) => {
    const error = await errorOf({ body });
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: 'unexpected_response', status: 200, isRetryable: false });
    expect(error.message).toBe(
      `Get Screen failed: the response with status 200 is ${what}. ${check}`,
    );
  });

  it('is not retried, since the response would be the same', async () => {
    bench.service.on('GET /screens/scr_1', { body: '<html>' });
    await rejection(bench.client().screens.get({ screenId: 'scr_1' }));
    expect(bench.service.received).toHaveLength(1);
  });

  it('is one without a list where a list is expected', async () => {
    bench.service.on('GET /screens', { body: { screens: [] } });
    const error = await rejection(bench.client().screens.list());
    expect(error).toMatchObject({ name: 'ResponseError', status: 200 });
  });

  it.each([
    'token=secret-token',
    '{"access_token":"secret-token"',
    '{"data":{"access_token":"secret-token"}}',
    '{"access_token":"secret token"}',
    '{"access_token":"secret\\r\\ntoken"}',
    '{"access_token":""}',
    '{"access_token":5}',
  ])('of a token request is not shown: %s', async (body) => {
    bench.service.on('POST /oauth/token', { body });
    const auth = clientCredentials({ clientId: 'id', clientSecret: 'secret' });
    const client = bench.client({ auth, retry: false });
    const error = await rejection(client.screens.get({ screenId: 'scr_1' }));
    expect(error).toMatchObject({
      name: 'ResponseError',
      message:
        'The access token request failed: the response with status 200 has no usable token. Check that the base URL leads to the service.',
    });
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with status %i is not followed', async (status) => {
    const location = 'https://elsewhere.example/login?next=svc_key';
    const error = await errorOf({ status, headers: { location } });
    expect(error).toMatchObject({ name: 'ResponseError', code: 'unexpected_response', status });
    expect(error.message).toBe(
      `Get Screen failed: redirects are not followed, to protect credentials (${status} to https://elsewhere.example). Check the base URL.`,
    );
    expect(bench.service.received).toHaveLength(1);
  });

  it('may lack a target', async () => {
    expect((await errorOf({ status: 304 })).message).toContain('(304)');
  });
});
