/*
 * Each test has two of whatever the command line keeps apart: reads and changes whose output or
 * request ends early, and the two limits of the service.
 */
import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ServiceProbe } from '../../packages/cli/src/doctor/service.ts';
import { runCommandLine } from '../../packages/cli/src/run.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';
import { environment } from './command.ts';

interface Ran {
  readonly code: number;
  readonly errors: string;
}

/** Runs with this end of the pipe, and this signal to stop. */
async function ran(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { write, stop }: { write?: () => Promise<void>; stop?: AbortSignal } = {},
): Promise<Ran> {
  let errors = '';
  const code = await runCommandLine(args, {
    version: '1.2.3',
    write: write ?? (async () => undefined),
    writeError: (text) => {
      errors += text;
    },
    writeFile: async () => undefined,
    appendFile: async () => undefined,
    env,
    isWatched: false,
    columns: 100,
    stop: stop ?? new AbortController().signal,
  });
  return { code, errors };
}

it('a reader that has left loses the rest of a list, and no coupon', async () => {
  const { baseUrl, full } = await start();
  const env = environment(baseUrl, full);
  const write = async () => {
    throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  };
  expect(await ran(['call', 'screen.list'], env, { write })).toEqual({ code: 0, errors: '' });
  const coupon = ['--discount_type=percent', '--discount_value=5', '--lead_email=a@example.com'];
  const { code, errors } = await ran(['call', 'coupon.create', ...coupon], env, { write });
  expect(code).toBe(1);
  expect(errors).toMatch(/^Create Coupon succeeded:\n\{\n {2}"code": "/);
});

describe('Ctrl-C ends', () => {
  const page = { data: [{ id: 'a' }], pagination: { cursor: 'next', has_more: true } };
  const none = { data: [], pagination: { cursor: null, has_more: false } };
  const isSecond = (url: string) => url.includes('cursor=');
  it.each<[string, object, (url: string, nth: number) => boolean, number]>([
    ['a list at its second page', page, isSecond, 130],
    ['the search for a reason of an empty list', none, (_url, nth) => nth === 2, 0],
  ])('%s', async (_what, body, hangs, exitCode) => {
    const stop = new AbortController();
    let requests = 0;
    const server = createServer(({ url = '' }, response: ServerResponse) => {
      requests += 1;
      if (hangs(url, requests)) return stop.abort();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const { port, close } = await listen(server);
    closeAfterTest(close);
    const env = environment(`http://127.0.0.1:${port}/api/v1`, { apiKey: 'svc_key' });
    const { code } = await ran(['call', 'screen.list', '--city=Berlin'], env, {
      stop: stop.signal,
    });
    expect([code, requests]).toEqual([exitCode, 2]);
  });
});

describe('doctor', () => {
  /** A service that responds to everything with this status, and what was sent with which signal. */
  function serviceOf(status: number) {
    const signals: unknown[] = [];
    const transport = {
      clock: {} as never,
      async send({ signal }: { readonly signal?: AbortSignal }) {
        signals.push(signal);
        return { status, headers: {}, body: '{}' };
      },
    };
    const stop = new AbortController().signal;
    const baseUrl = 'https://service.example/api/v1';
    return {
      signals,
      stop,
      service: new ServiceProbe({ baseUrl, transport, userAgent: 'test', stop }),
    };
  }

  it('continues after a 429 of the token endpoint, and ends after one of the service', async () => {
    const { service } = serviceOf(429);
    await expect(service.requestToken('id', 'secret')).rejects.toThrow();
    await expect(service.get('screen.list')).rejects.toThrow();
    expect(service.requests).toBe(2);
    await expect(service.get('campaignRequest.list')).rejects.toThrow();
    expect(service.requests).toBe(2);
  });

  it('asks again with another token, and not with the same', async () => {
    const { service } = serviceOf(200);
    for (const bearer of ['one', 'other', 'one']) await service.get('screen.list', {}, bearer);
    expect(service.requests).toBe(2);
  });

  it('stops reads when it is stopped, and lets a change come to its end', async () => {
    const { service, signals, stop } = serviceOf(200);
    await service.get('screen.list');
    await service.post('coupon.revoke', { code: 'SPRING-25' });
    expect(signals).toEqual([stop, undefined]);
  });
});
