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
    bench.service.on('POST /oauth/token', token('t1'));
    bench.accept('t1');
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
