import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import type { Attempt, Transport } from '@screen-advertising/core';
import { rejection } from '../support/rejection.ts';
import { problem, token } from '../support/steps.ts';
import { get, useTokenBench } from '../support/token-bench.ts';

const bench = useTokenBench();

describe('onAttempt', () => {
  it('reports each request, the token request and retries included, and no secret', async () => {
    const attempts: Attempt[] = [];
    const client = bench.clientWithToken({ onAttempt: (attempt) => attempts.push(attempt) });
    bench.service.on('POST /oauth/token', token('the-token'));
    bench.service.on('GET /screens/scr_1', problem(503), { body: { id: 'scr_1' } });
    await bench.clock.run(get(client));
    const screen = { operation: 'screen.get', method: 'GET', path: '/screens/{screenId}' };
    expect(attempts).toEqual([
      {
        operation: 'token',
        method: 'POST',
        path: '/oauth/token',
        attempt: 1,
        status: 200,
        durationMs: 0,
        waitMs: 0,
        error: undefined,
      },
      {
        ...screen,
        attempt: 1,
        status: 503,
        durationMs: 0,
        waitMs: 0,
        error: expect.objectContaining({ name: 'ProblemError', status: 503 }),
      },
      {
        ...screen,
        attempt: 2,
        status: 200,
        durationMs: 0,
        waitMs: expect.any(Number),
        error: undefined,
      },
    ]);
    expect(attempts[2]?.waitMs).toBeGreaterThan(0);
    expect(JSON.stringify(attempts)).not.toMatch(/the-token|the-client-secret/);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no disk');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no disk'))],
    [
      'rejects in another realm',
      () => runInNewContext("Promise.reject(new Error('no disk'))") as Promise<never>,
    ],
  ])('cannot fail the call when it %s', async (_how, onAttempt) => {
    bench.issue('t1');
    expect(await get(bench.clientWithToken({ onAttempt }))).toEqual({ id: 'scr_1' });
  });

  it("counts the wait in the transport's own queue as waiting", async () => {
    const attempts: Attempt[] = [];
    const { clock } = bench;
    const transport: Transport = {
      clock,
      async send({ onSend }) {
        await clock.sleep(5000);
        onSend?.();
        await clock.sleep(20);
        return { status: 200, headers: {}, body: '{"id":"scr_1"}' };
      },
    };
    const client = bench.client({ transport, onAttempt: (attempt) => attempts.push(attempt) });
    await clock.run(get(client));
    expect(attempts).toMatchObject([{ waitMs: 5000, durationMs: 20 }]);
  });

  it('reports a refused token request', async () => {
    const attempts: Attempt[] = [];
    const client = bench.clientWithToken({ onAttempt: (attempt) => attempts.push(attempt) });
    bench.service.on('POST /oauth/token', problem(401));
    const error = await rejection(get(client));
    expect(attempts).toMatchObject([{ operation: 'token', status: 401 }]);
    expect(attempts[0]?.error).toBe(error);
    expect(error).toMatchObject({ operation: 'token', attempts: 1 });
  });
});

describe('beforeRequest', () => {
  it('adds headers to each request, and sees what is sent but no secret', async () => {
    const seen: unknown[] = [];
    bench.service.on('GET /screens/scr_1', problem(503), { body: { id: 'scr_1' } });
    const beforeRequest = (request: { attempt: number }) => {
      seen.push(request);
      return { Traceparent: `00-${request.attempt}`, 'X-Team': 'sales' };
    };
    await bench.clock.run(get(bench.client({ beforeRequest, headers: { 'x-team': 'ads' } })));
    expect(bench.service.received.map(({ headers }) => headers)).toMatchObject([
      { traceparent: '00-1', 'x-team': 'sales', authorization: 'Bearer svc_key_of_the_tests' },
      { traceparent: '00-2', 'x-team': 'sales', authorization: 'Bearer svc_key_of_the_tests' },
    ]);
    expect(seen).toMatchObject(
      [1, 2].map((attempt) => ({
        operation: 'screen.get',
        attempt,
        method: 'GET',
        path: '/screens/{screenId}',
        headers: { 'x-team': 'ads' },
      })),
    );
    expect(JSON.stringify(seen)).not.toContain('svc_');
  });

  it('may add nothing', async () => {
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
    expect(await get(bench.client({ beforeRequest: () => undefined }))).toEqual({ id: 'scr_1' });
  });

  const must =
    'the result of beforeRequest must be texts, without authorization, host, connection, and headers of the body.';
  it.each<[what: string, result: unknown]>([
    ['a header that the client sets', { Authorization: 'Bearer of another' }],
    ['the type of the body', { 'content-type': 'text/plain' }],
    ['two lines', { 'x-a': 'b\r\nc: d' }],
    ['a promise, as an async function does', Promise.resolve({ 'x-a': 'b' })],
  ])('ends the call if it returns %s', async (_what, result) => {
    const error = await rejection(get(bench.client({ beforeRequest: () => result as never })));
    expect(error).toMatchObject({ name: 'ConfigurationError', message: must });
    expect(bench.service.received).toEqual([]);
  });

  it('ends the call with what it throws', async () => {
    const thrown = new Error('no signature');
    const beforeRequest = () => {
      throw thrown;
    };
    expect(await rejection(get(bench.client({ beforeRequest })))).toBe(thrown);
    expect(bench.service.received).toEqual([]);
  });
});
