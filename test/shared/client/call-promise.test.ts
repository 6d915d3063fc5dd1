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
    const response = await bench.clock.run(call.withResponse());
    expect(response).toMatchObject({ data: { id: screenId }, status: 200, headers, attempts: 2 });
    expect(await call).toBe(response.data);
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
  type List = PagePromise<{ id: string }>;
  const awaited = async (list: List) => (await list).data;
  const iterated = async (list: List) => {
    const records: unknown[] = [];
    for await (const record of list) records.push(record);
    return records;
  };
  const all = (list: List) => list.all();
  const [a, b] = [{ id: 'a' }, { id: 'b' }];
  const large = '/screens?limit=200,/screens?limit=200&cursor=next';

  it.each<[string, ((list: List) => Promise<unknown>)[], unknown[], string]>([
    ['awaited twice', [awaited, awaited], [[a], [a]], '/screens'],
    ['awaited, then iterated', [awaited, iterated], [[a], [a, b]], '/screens,/screens?cursor=next'],
    ['iterated, then awaited', [iterated, awaited], [[a, b], [a]], large],
    ['read into one array', [all], [[a, b]], large],
  ])('that is %s later is fetched once, and nothing before', async (_how, uses, ends, paths) => {
    bench.service.on('GET /screens', page([a], 'next', true), page([b], null, false));
    const list = bench.client().screens.list() as List;
    await bench.clock.settle();
    expect(bench.service.received).toEqual([]);
    const results: unknown[] = [];
    for (const use of uses) results.push(await use(list));
    expect(results).toEqual(ends);
    expect(bench.service.received.map(({ path }) => path).join()).toBe(paths);
  });

  it('that fails rejects wherever it is used, and is requested once', async () => {
    bench.service.on('GET /screens', problem(400));
    const list = bench.client().screens.list() as List;
    const error = await rejection(iterated(list));
    expect(error).toMatchObject({ status: 400 });
    for (const use of [awaited, all]) expect(await rejection(use(list))).toBe(error);
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
