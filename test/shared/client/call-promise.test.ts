import { describe, expect, it } from '@jest/globals';
import { operations, type PagePromise } from '@screen-advertising/core';
import { createRelayClient } from '@screen-advertising/core/relay';
import type { HeaderFields } from '../../../shared/src/client/options.ts';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { page, problem } from '../support/steps.ts';

const bench = useBench();
const screenId = 'scr_1';

describe('a call', () => {
  it('resolves with its response when asked', async () => {
    const headers = { 'x-request-id': 'r1' };
    bench.service.on('GET /screens/scr_1', problem(503), { headers, body: { id: screenId } });
    const call = bench.client().screens.get({ screenId });
    const {
      data,
      status,
      headers: received,
      attempts,
    } = await bench.clock.run(call.withResponse());
    expect({ data, status, attempts }).toEqual({
      data: { id: screenId },
      status: 200,
      attempts: 2,
    });
    expect(received).toMatchObject(headers);
    expect(await call).toBe(data);
    expect(bench.service.received).toHaveLength(2);
  });

  it('of a coupon whose response was lost has the response that shows it', async () => {
    const coupon = { code: 'A-1', lead_email: 'lead@example.com' };
    bench.service.on('POST /coupons', problem(500));
    bench.service.on('GET /coupons/A-1', { headers: { 'x-request-id': 'r2' }, body: coupon });
    const call = bench.client({ retry: false }).coupons.create({
      ...coupon,
      discount_type: 'percent',
      discount_value: 5,
    });
    expect(await call.withResponse()).toMatchObject({
      data: coupon,
      status: 200,
      headers: { 'x-request-id': 'r2' },
      attempts: 1,
    });
  });

  it('can be used like any promise', async () => {
    bench.service.on('GET /screens/scr_1', { body: { id: screenId } });
    bench.service.on('GET /screens/scr_2', problem(404));
    const { screens } = bench.client();
    const ends: string[] = [];
    const found = screens.get({ screenId }).finally(() => ends.push('found'));
    const missing = screens.get({ screenId: 'scr_2' }).catch(() => 'missing');
    expect(await Promise.all([found, missing])).toEqual([{ id: screenId }, 'missing']);
    expect(ends).toEqual(['found']);
  });

  it('is sent even without an await', async () => {
    bench.service.on('GET /screens/scr_1', { body: { id: screenId } });
    bench.client().screens.get({ screenId });
    await bench.clock.settle();
    expect(bench.service.received).toHaveLength(1);
  });
});

describe('a list', () => {
  it('is a page when awaited, and every record when iterated', async () => {
    bench.service.on(
      'GET /screens',
      page([{ id: 'a' }], 'next', true),
      page([{ id: 'a' }], 'next', true),
      page([{ id: 'b' }], null, false),
    );
    const { screens } = bench.client();
    expect((await screens.list({ city: 'Berlin' })).data).toEqual([{ id: 'a' }]);
    const ids: string[] = [];
    for await (const { id } of screens.list({ city: 'Berlin' })) ids.push(id);
    expect(ids).toEqual(['a', 'b']);
    expect(bench.service.received.map(({ path }) => path)).toEqual([
      '/screens?city=Berlin',
      '/screens?city=Berlin&limit=200',
      '/screens?city=Berlin&limit=200&cursor=next',
    ]);
  });

  it('is one array of every record with all(), which rejects if a page fails', async () => {
    bench.service.on(
      'GET /screens',
      page([{ id: 'a' }], 'next', true),
      page([{ id: 'b' }], null, false),
      page([{ id: 'a' }], 'next', true),
      { status: 403 },
    );
    const { screens } = bench.client();
    expect(await screens.list().all()).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(bench.service.received.map(({ path }) => path)).toEqual([
      '/screens?limit=200',
      '/screens?limit=200&cursor=next',
    ]);
    expect(await rejection(screens.list().all())).toMatchObject({ status: 403 });
  });

  const twoPages = () =>
    bench.service.on(
      'GET /screens',
      page([{ id: 'a' }], 'next', true),
      page([{ id: 'b' }], null, false),
    );
  const awaited = async (list: PagePromise<{ id: string }>) => (await list).data;
  const iterated = async (list: PagePromise<{ id: string }>) => {
    const all: unknown[] = [];
    for await (const record of list) all.push(record);
    return all;
  };
  const a = { id: 'a' };
  const b = { id: 'b' };

  it.each<[string, ((list: PagePromise<{ id: string }>) => Promise<unknown>)[], unknown[], string]>(
    [
      ['awaited twice', [awaited, awaited], [[a], [a]], '/screens'],
      [
        'awaited, then iterated',
        [awaited, iterated],
        [[a], [a, b]],
        '/screens,/screens?cursor=next',
      ],
      [
        'iterated, then awaited',
        [iterated, awaited],
        [[a, b], [a]],
        '/screens?limit=200,/screens?limit=200&cursor=next',
      ],
    ],
  )('that is %s later is fetched once, and nothing before', async (_how, uses, ends, paths) => {
    twoPages();
    const list = bench.client().screens.list();
    await bench.clock.settle();
    expect(bench.service.received).toEqual([]);
    const results: unknown[] = [];
    for (const use of uses) results.push(await use(list as PagePromise<{ id: string }>));
    expect(results).toEqual(ends);
    expect(bench.service.received.map(({ path }) => path).join()).toBe(paths);
  });

  it('that fails rejects wherever it is used, and is requested once', async () => {
    bench.service.on('GET /screens', problem(400));
    const list = bench.client().screens.list() as PagePromise<{ id: string }>;
    const error = await rejection(iterated(list));
    expect(error).toMatchObject({ status: 400 });
    expect(await rejection(awaited(list))).toBe(error);
    expect(bench.service.received).toHaveLength(1);
  });
});

describe('an error', () => {
  it('names its operation and attempts, and has the headers without secrets', async () => {
    const headers = {
      'x-request-id': 'r3',
      'x-echo': 'svc_key_of_the_tests',
      'set-cookie': 'session=of-a-proxy',
    };
    bench.service.on('GET /screens/scr_1', problem(503, {}, headers));
    const client = bench.client({ retry: { attempts: 2 } });
    const error = await rejection(bench.clock.run(client.screens.get({ screenId })));
    expect(error).toMatchObject({
      operation: 'screen.get',
      attempts: 2,
      headers: { 'x-request-id': 'r3', 'x-echo': '[redacted]' },
    });
    expect(error).not.toHaveProperty('headers.set-cookie');
  });
});

describe('an error before a request is sent', () => {
  const relay = () =>
    createRelayClient({
      baseUrl: bench.service.origin,
      connectorKey: `rly_${'a'.repeat(43)}.whsec_${'b'.repeat(43)}=`,
      transport: bench.transport,
    });

  const screens = () => bench.client().screens;
  const input = 'invalid_input';
  const option = 'invalid_configuration';
  it.each<[code: string, operation: string, run: () => Promise<unknown>]>([
    [input, 'screen.get', () => screens().get({ screenId: '' })],
    [
      input,
      'screen.list',
      () => bench.client().items(operations['screen.list'], { limit: 0 }).next(),
    ],
    [option, 'screen.get', () => screens().get({ screenId }, { maxRetries: 5 } as object)],
    [option, 'screen.get', () => screens().get({ screenId }, { deadlineMs: -1 })],
    [input, 'Subscribe', () => relay().subscribe({ target_url: '', events: [] })],
  ])('names its operation and no attempt: %s of %s', async (code, operation, run) => {
    expect(await rejection(run())).toMatchObject({ code, operation, attempts: 0 });
    expect(bench.service.received).toEqual([]);
  });
});

describe('one call', () => {
  it('can have its own retries, time and headers', async () => {
    bench.service.on('GET /screens/scr_1', problem(503));
    const options = { retry: false as const, headers: { 'X-Trace': 't1' }, timeoutMs: 5000 };
    const error = await rejection(bench.client().screens.get({ screenId }, options));
    expect(error).toMatchObject({ status: 503, attempts: 1 });
    expect(bench.service.received).toMatchObject([{ headers: { 'x-trace': 't1' } }]);
  });

  it.each<[string, HeaderFields]>([
    ['Headers', new Headers({ 'X-Trace': 't1' })],
    ['a Map', new Map([['X-Trace', 't1']])],
    ['pairs', [['X-Trace', 't1']]],
  ])('takes its headers as %s', async (_what, headers) => {
    bench.service.on('GET /screens/scr_1', { body: { id: screenId } });
    await bench.client().screens.get({ screenId }, { headers });
    expect(bench.service.received).toMatchObject([{ headers: { 'x-trace': 't1' } }]);
  });

  it('ends after its own timeoutMs', async () => {
    const timeouts: number[] = [];
    const { clock } = bench;
    const transport = {
      clock,
      send: async ({ timeoutMs }: { timeoutMs: number }) => {
        timeouts.push(timeoutMs);
        return { status: 200, headers: {}, body: '{"id":"scr_1"}' };
      },
    };
    const { screens } = bench.client({ transport, timeoutMs: 9000 });
    await screens.get({ screenId });
    await screens.get({ screenId }, { timeoutMs: 5 });
    expect(timeouts).toEqual([9000, 5]);
  });
});

describe('every request', () => {
  it('has the headers of the client, and says which program sends it', async () => {
    bench.service.on('GET /screens/scr_1', { body: { id: screenId } });
    const transport = { ...bench.transport, runtime: 'node 24; linux' };
    const options = { transport, headers: { 'x-team': 'ads' }, userAgent: 'my-app/1.2' };
    await bench.client(options).screens.get({ screenId });
    expect(bench.service.received).toMatchObject([
      {
        headers: {
          'x-team': 'ads',
          'user-agent': expect.stringMatching(
            /^my-app\/1\.2 screen-advertising-core\/[\d.]+ \(node 24; linux\)$/,
          ),
        },
      },
    ]);
  });
});
