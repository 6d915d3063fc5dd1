import { describe, expect, it } from '@jest/globals';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { problem } from '../support/steps.ts';

const bench = useBench();
const get = (options: object) => bench.client(options).screens.get({ screenId: 'scr_1' });

describe('beforeRequest', () => {
  it('adds headers to each request, and sees what is sent but no secret', async () => {
    const seen: unknown[] = [];
    bench.service.on('GET /screens/scr_1', problem(503), { body: { id: 'scr_1' } });
    const beforeRequest = (request: { attempt: number }) => {
      seen.push(request);
      return { Traceparent: `00-${request.attempt}`, 'X-Team': 'sales' };
    };
    await bench.clock.run(get({ beforeRequest, headers: { 'x-team': 'ads' } }));
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
    expect(await get({ beforeRequest: () => undefined })).toEqual({ id: 'scr_1' });
  });

  const must =
    'the result of beforeRequest must be texts, without authorization, host, connection, and headers of the body.';
  it.each<[what: string, result: unknown]>([
    ['a header that the client sets', { Authorization: 'Bearer of another' }],
    ['the type of the body', { 'content-type': 'text/plain' }],
    ['two lines', { 'x-a': 'b\r\nc: d' }],
    ['a promise, as an async function does', Promise.resolve({ 'x-a': 'b' })],
  ])('ends the call if it returns %s', async (_what, result) => {
    const error = await rejection(get({ beforeRequest: () => result }));
    expect(error).toMatchObject({ name: 'ConfigurationError', message: must });
    expect(bench.service.received).toEqual([]);
  });

  it('ends the call with what it throws', async () => {
    const thrown = new Error('no signature');
    const beforeRequest = () => {
      throw thrown;
    };
    expect(await rejection(get({ beforeRequest }))).toBe(thrown);
    expect(bench.service.received).toEqual([]);
  });
});
