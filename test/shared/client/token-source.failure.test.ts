import { describe, expect, it } from '@jest/globals';
import { type Client, clientCredentials } from '@screen-advertising/core';
import { TokenSource } from '@screen-advertising/core/platform';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../support/rejection.ts';
import type { Step } from '../support/scripted-service.ts';
import { Held, problem, reset, silence, token } from '../support/steps.ts';
import { fifty, get, hour, second, useTokenBench } from '../support/token-bench.ts';

const bench = useTokenBench();

describe('wrong credentials', () => {
  const message =
    'The client ID or client secret is wrong. The service says: "What went wrong." Check that both are complete, belong together and to this base URL, and have not been revoked.';

  it.each([400, 401, 403])('refused with status %i cost 50 calls one request', async (status) => {
    bench.service.on('POST /oauth/token', problem(status));
    for (const result of await Promise.allSettled(fifty(bench.clientWithToken()))) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'authentication_failed', status, message, isRetryable: false },
      });
    }
    expect(bench.tokenRequests).toHaveLength(1);
    expect(bench.callsSent).toHaveLength(0);
  });

  it('are reported with the ID of the request', async () => {
    const headers = { 'x-request-id': 'req_1' };
    bench.service.on('POST /oauth/token', problem(401, {}, headers));
    expect(await rejection(get(bench.clientWithToken()))).toMatchObject({ requestId: 'req_1' });
  });

  it('are retried 6 s later at the earliest, so that 10 requests per minute are never exceeded', async () => {
    bench.service.on('POST /oauth/token', problem(401));
    await rejection(get(bench.clientWithToken()));
    const startedAt = bench.clock.now();
    for (let nth = 0; nth < 9; nth += 1)
      await rejection(bench.clock.run(get(bench.clientWithToken())));
    expect(bench.tokenRequests).toHaveLength(10);
    expect(bench.clock.now() - startedAt).toBe(9 * 6 * second);
  });

  it('are reported at once to a caller who cannot wait that long', async () => {
    bench.service.on('POST /oauth/token', problem(401));
    await rejection(get(bench.clientWithToken()));
    const call = bench.clientWithToken().screens.get({ screenId: 'scr_1' }, { deadlineMs: 5999 });
    expect(await rejection(call)).toMatchObject({ code: 'authentication_failed', message });
    expect(await rejection(get(bench.clientWithToken({ retry: false })))).toMatchObject({
      message,
    });
    expect(bench.tokenRequests).toHaveLength(1);
  });
});

describe('a refusal of the token endpoint that proves nothing of the credentials', () => {
  it.each([400, 401, 403])('with status %i, such as the page of a proxy', async (status) => {
    const page = { status, headers: { 'content-type': 'text/html' }, body: '<p>Blocked</p>' };
    bench.service.on('POST /oauth/token', page);
    const error = (await rejection(get(bench.clientWithToken()))) as Error;
    expect(error).toMatchObject({ name: 'ProblemError', status, problem: undefined });
    expect(error.message).toMatch(
      /^The access token request failed: the service, or something in front of it, (rejected|refused) the (request|credentials) \(\d+\)\. Check that /,
    );
    expect(error.message).not.toMatch(/client secret/);
  });
});

it('a token that is seconds old and refused keeps the sentence of the service', async () => {
  bench.service.on('POST /oauth/token', token('t1'), token('t2'));
  const detail = 'Your access was suspended. Write to partners@service.example.';
  bench.service.on('GET /screens/scr_1', problem(401, { detail }));
  expect(await rejection(get(bench.clientWithToken()))).toMatchObject({
    code: 'authentication_failed',
    message: `Get Screen failed: the service did not accept the credentials (401). The service says: "${detail}" Check that they are complete, belong to this base URL, and have not been revoked.`,
  });
});

describe('a token endpoint in trouble', () => {
  it.each<[string, Step]>([
    ['status 408', problem(408)],
    ['status 500', problem(500)],
    ['a reset', reset],
  ])('is asked again for a change after %s: only the token request failed', async (_what, step) => {
    bench.service.on('POST /oauth/token', step, token('t1'));
    bench.service.on('POST /landing-links', { status: 201, body: { url: 'u' } });
    expect(await bench.clock.run(bench.clientWithToken().landingLinks.create({}))).toEqual({
      url: 'u',
    });
    expect(bench.tokenRequests).toHaveLength(2);
  });

  it('is asked again, 6 s later at the earliest, within the attempts of the call', async () => {
    bench.service.on('POST /oauth/token', problem(503), token('t1'));
    bench.accept('t1');
    const startedAt = bench.clock.now();
    expect(await bench.clock.run(get(bench.clientWithToken()))).toEqual({ id: 'scr_1' });
    expect(bench.clock.now() - startedAt).toBe(6 * second);
  });

  it('causes an error that says the call was not sent', async () => {
    bench.service.on('POST /oauth/token', reset);
    const call = bench.clientWithToken({ retry: false }).landingLinks.create({});
    const { host } = new URL(bench.service.baseUrl);
    expect(await rejection(call)).toMatchObject({
      name: 'TransportError',
      sent: 'no',
      message: `Create Landing Link was not sent: getting an access token failed. Cause: The connection to ${host} broke before the response was complete (ECONNRESET). Retry.`,
    });
  });

  it('gets no request for as long as its 429 asks', async () => {
    bench.service.on('POST /oauth/token', problem(429, { retry_after: 40 }), token('t1'));
    bench.accept('t1');
    const startedAt = bench.clock.now();
    await bench.clock.run(Promise.all(fifty(bench.clientWithToken())));
    expect(bench.clock.now() - startedAt).toBe(40 * second);
    expect(bench.tokenRequests).toHaveLength(2);
  });

  it('that asks for a longer wait than a caller accepts is reported at once', async () => {
    bench.service.on('POST /oauth/token', problem(429, { retry_after: 3600 }));
    for (let nth = 0; nth < 3; nth += 1) {
      expect(await rejection(get(bench.clientWithToken()))).toMatchObject({
        code: 'rate_limited',
        retryAfter: 3600,
        message:
          'The access token request failed: rate limit reached (429). The service says: "What went wrong." Retry in 3600 s.',
      });
    }
    expect(bench.tokenRequests).toHaveLength(1);
  });
});

it('a 429 is remembered with the time that is left, to the own pause of 6 s', async () => {
  bench.service.on('POST /oauth/token', problem(429, { retry_after: 2 }));
  const waits: unknown[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const error = await rejection(get(bench.clientWithToken({ retry: false })));
    waits.push(Object(error).retryAfter, Object(error).remedy);
    await bench.clock.advance(1.5 * second);
  }
  expect(waits).toEqual([
    ...[6, 'Retry in 6 s.', 5, 'Retry in 5 s.'],
    ...[3, 'Retry in 3 s.', 2, 'Retry in 2 s.'],
  ]);
  expect(bench.tokenRequests).toHaveLength(1);
});

describe('a caller who leaves', () => {
  it('leaves the token request to the others', async () => {
    const held = new Held();
    bench.service.on('POST /oauth/token', held.step);
    bench.accept('t1');
    const leaving = new AbortController();
    const [first, ...others] = [
      get(bench.clientWithToken(), leaving.signal),
      ...fifty(bench.clientWithToken()),
    ];
    const reason = rejection(first);
    await bench.clock.settle();
    leaving.abort('enough');
    expect(await reason).toBe('enough');
    held.answer(token('t1'));
    expect(await Promise.all(others)).toHaveLength(50);
    expect(bench.tokenRequests).toHaveLength(1);
  });

  it('stops it when no other caller waits for it, and the next call starts another', async () => {
    bench.service.on('POST /oauth/token', silence, token('t1'));
    bench.accept('t1');
    const leaving = new AbortController();
    const reason = rejection(get(bench.clientWithToken(), leaving.signal));
    await bench.clock.settle();
    leaving.abort('enough');
    expect(await reason).toBe('enough');
    await eventually(() => bench.service.held === 0, 'the service holds no request');
    expect(await get(bench.clientWithToken())).toEqual({ id: 'scr_1' });
  });
});

describe('TokenSource, for platforms that keep tokens themselves', () => {
  const source = () =>
    new TokenSource(clientCredentials(bench.credentials), bench.service.baseUrl, bench.clock);

  it('returns a token, the same for its hour, and another one after a refusal', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    const tokens = source();
    const request = { transport: bench.transport, timeoutMs: second };
    expect(await Promise.all([tokens.get(request), tokens.get(request)])).toEqual(['t1', 't1']);
    tokens.refuse('another');
    expect(await tokens.get(request)).toBe('t1');
    tokens.refuse('t1');
    expect(await tokens.get(request)).toBe('t2');
  });

  it('rejects at once with the last failure for a caller who does not wait', async () => {
    bench.service.on('POST /oauth/token', problem(401), token('t1'));
    const tokens = source();
    const request = { transport: bench.transport, timeoutMs: second };
    const first = await rejection(tokens.get(request));
    expect(await rejection(tokens.get({ ...request, latest: bench.clock.now() }))).toBe(first);
    expect(await bench.clock.run(tokens.get(request))).toBe('t1');
  });
});

const minute = 60 * second;

describe('a 403 to a token older than a minute', () => {
  const refusing = problem(403);

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['a read', get],
    ['a change', (client) => client.landingLinks.create({})],
    ['several reads at once', (client) => Promise.all([get(client), get(client), get(client)])],
  ])('renews it once, so %s does not fail', async (_what, call) => {
    let good = 't1';
    const answer: Step = (response, service, { headers }) => {
      const isGood = headers.authorization === `Bearer ${good}`;
      service.release(response, isGood ? { body: { id: 'scr_1', url: 'u' } } : refusing);
    };
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    bench.service.on('GET /screens/scr_1', answer);
    bench.service.on('POST /landing-links', answer);
    const client = bench.clientWithToken({ retry: false });
    await call(client);
    good = 't2';
    await bench.clock.advance(minute);
    await call(client);
    expect(bench.tokenRequests).toHaveLength(2);
  });

  it('is final when the new token is refused, too', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } }, refusing);
    const client = bench.clientWithToken();
    await get(client);
    await bench.clock.advance(minute);
    expect(await rejection(get(client))).toMatchObject({ code: 'missing_scope', attempts: 2 });
    expect(bench.tokenRequests).toHaveLength(2);
  });
});

describe('a missing scope', () => {
  it('costs one token request an hour, and other scopes work', async () => {
    bench.service.on('POST /oauth/token', ...[1, 2, 3, 4, 5, 6].map((nth) => token(`t${nth}`)));
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
    bench.service.on('GET /users/lookup', problem(403));
    const client = bench.clientWithToken();
    for (let passed = 0; passed < 3 * hour; passed += 10 * minute) {
      await get(client);
      const lookUp = client.users.lookup({ email: 'lead@example.com' });
      expect(await rejection(lookUp)).toMatchObject({ code: 'missing_scope' });
      await bench.clock.advance(10 * minute);
    }
    expect(bench.tokenRequests.length).toBeLessThanOrEqual(3 + 2);
  });

  it('is certain at once when the token is young', async () => {
    bench.service.on('POST /oauth/token', token('t1'));
    bench.service.on('GET /screens/scr_1', problem(403));
    expect(await rejection(get(bench.clientWithToken()))).toMatchObject({ attempts: 1 });
    expect(bench.tokenRequests).toHaveLength(1);
  });

  it('is proved by the scope of the token: another token is not requested', async () => {
    bench.service.on('POST /oauth/token', token('t1', { scope: 'users:read links:write' }));
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } }, problem(403));
    const client = bench.clientWithToken();
    await get(client);
    await bench.clock.advance(5 * minute);
    expect(await rejection(get(client))).toMatchObject({ code: 'missing_scope', attempts: 1 });
    expect(bench.tokenRequests).toHaveLength(1);
  });

  it('is not claimed when the token has the scope', async () => {
    bench.service.on('POST /oauth/token', token('t1', { scope: 'screens:read users:read' }));
    bench.service.on('GET /screens/scr_1', problem(403));
    expect(await rejection(get(bench.clientWithToken()))).toMatchObject({
      code: 'unexpected_response',
      message:
        'Get Screen failed: the service refused it, though the token has the scope (403). The service says: "What went wrong." Ask the Screen Advertising team why.',
    });
  });

  it('of an API key costs one request', async () => {
    bench.service.on('GET /screens/scr_1', problem(403));
    const client = bench.client();
    await rejection(get(client));
    await bench.clock.advance(hour);
    expect(await rejection(get(client))).toMatchObject({ code: 'missing_scope', attempts: 1 });
  });
});
