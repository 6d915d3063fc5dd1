import timers from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import type { FaultRule } from '@screen-advertising/sandbox';
import { FaultList } from '../../../packages/sandbox/src/faults/faults.ts';
import { SeededRandom } from '../../../packages/sandbox/src/state/random.ts';
import { problemDetail, type Running, start } from '../support/running-sandbox.ts';

const body = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'a@example.com',
  code: 'C',
};
const createCoupon = ({ call }: Running) => call('POST', '/coupons', { body });
const exists = async ({ sandbox }: Running) => sandbox.coupons.list().length === 1;
const statuses = async ({ call }: Running, count: number) => {
  const found: number[] = [];
  while (found.length < count) found.push((await call('GET', '/screens')).status);
  return found;
};

/** Records the milliseconds of each real wait of the sandbox from now on, and skips the waits. */
function waitsOfTheSandbox(): number[] {
  const waits: number[] = [];
  jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0, value) => {
    waits.push(ms);
    await timers.setImmediate();
    return value;
  });
  return waits;
}

describe('which requests a fault affects', () => {
  it.each<[string, Partial<FaultRule>, boolean]>([
    ['any', {}, true],
    ['the method', { method: 'get' }, true],
    ['another method', { method: 'POST' }, false],
  ])('%s', async (_case, match, strikes) => {
    const service = await start();
    service.sandbox.faults.add({ ...match, fault: 'status', status: 503 } as FaultRule);
    expect(await statuses(service, 1)).toEqual([strikes ? 503 : 200]);
  });

  it('so many, after so many', async () => {
    const service = await start();
    service.sandbox.faults.add({ fault: 'status', status: 503, skip: 1, times: 2 });
    expect(await statuses(service, 5)).toEqual([200, 503, 503, 200, 200]);
    expect(service.sandbox.faults.list()).toMatchObject([{ id: 'flt_1', triggered: 2 }]);
  });

  it('at random, and the same ones with the same seed', async () => {
    const runs = await Promise.all(
      [7, 7, 8].map(async (seed) => {
        const service = await start({ seed });
        service.sandbox.faults.add({ fault: 'status', status: 503, probability: 0.5 });
        return statuses(service, 40);
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]).not.toEqual(runs[2]);
    expect(new Set(runs[0])).toEqual(new Set([200, 503]));
  });
});

describe('a status', () => {
  it('arrives as a problem document, before or after the change is applied', async () => {
    const service = await start();
    service.sandbox.faults.add({ fault: 'status', status: 503 });
    expect(problemDetail(await createCoupon(service), 503)).toBe(
      'A fault rule returns status 503 for this request.',
    );
    expect(await exists(service)).toBe(false);
    service.sandbox.faults.clear();
    const detail = 'Too slow.';
    service.sandbox.faults.add({ fault: 'status', status: 504, when: 'after', detail });
    expect(problemDetail(await createCoupon(service), 504)).toBe(detail);
    expect(await exists(service)).toBe(true);
  });

  it('429 says to wait 60 seconds, unless the rule has headers or a body', async () => {
    const service = await start();
    const { faults } = service.sandbox;
    const rule = { fault: 'status', status: 429, times: 1 } as const;
    faults.add(rule);
    const reply = await createCoupon(service);
    problemDetail(reply, 429);
    expect(reply.headers.get('retry-after')).toBe('60');
    expect(JSON.parse(reply.text)).toMatchObject({ retry_after: 60 });
    for (const own of [{ headers: {} }, { body: '{}' }]) {
      faults.add({ ...rule, ...own });
      const bare = await createCoupon(service);
      expect(bare.headers.get('retry-after')).toBeNull();
      expect(JSON.parse(bare.text)).not.toHaveProperty('retry_after');
    }
  });

  it("arrives with the rule's body and headers", async () => {
    const service = await start();
    service.sandbox.faults.add({
      fault: 'status',
      status: 502,
      body: '<h1>Bad gateway</h1>',
      contentType: 'text/html',
      headers: { 'x-edge': 'one' },
    });
    const reply = await createCoupon(service);
    expect([reply.status, reply.text]).toEqual([502, '<h1>Bad gateway</h1>']);
    expect(reply.headers.get('content-type')).toBe('text/html');
    expect(reply.headers.get('x-edge')).toBe('one');
  });

  it('can be a redirect, or without a body', async () => {
    const service = await start();
    const location = 'http://127.0.0.1:1/elsewhere';
    service.sandbox.faults.add({ fault: 'status', status: 307, headers: { location } });
    const reply = await createCoupon(service);
    expect([reply.status, reply.headers.get('location'), reply.text]).toEqual([307, location, '']);
    service.sandbox.faults.clear();
    service.sandbox.faults.add({ fault: 'status', status: 204, body: 'ignored' });
    expect(await createCoupon(service)).toMatchObject({ status: 204, text: '' });
  });
});

describe('the connection', () => {
  it.each([
    ['before', false],
    ['after', true],
  ] as const)('is reset %s the change is applied', async (when, applied) => {
    const service = await start();
    service.sandbox.faults.add({ fault: 'reset', when, times: 1 });
    await expect(createCoupon(service)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await exists(service)).toBe(applied);
    expect(service.sandbox.journal.list().at(-1)).toMatchObject({
      status: null,
      faults: ['reset'],
    });
  });

  it('is closed in the middle of the body, after the change was applied', async () => {
    const service = await start();
    service.sandbox.faults.add({ fault: 'truncated-body', times: 1 });
    await expect(createCoupon(service)).rejects.toThrow('terminated');
    expect(await exists(service)).toBe(true);
  });

  it.each<[FaultRule, string]>([
    [{ fault: 'reset', when: 'before' }, 'A fault rule of the sandbox reset the connection.'],
    [{ fault: 'truncated-body' }, 'A fault rule of the sandbox cut off the response.'],
  ])('in the same process, where there is none, %j rejects', async (rule, message) => {
    const { sandbox } = await start();
    sandbox.faults.add(rule);
    await expect(sandbox.fetch('http://sandbox/api/v1/screens')).rejects.toThrow(message);
  });
});

describe('the body', () => {
  it.each<[FaultRule, RegExp, string]>([
    [{ fault: 'malformed-json' }, /^\{.*,,$/, 'application/json'],
    [{ fault: 'empty-body' }, /^$/, 'application/json'],
    [{ fault: 'html-body' }, /^<!doctype html>/, 'text/html'],
    [{ fault: 'content-type', contentType: 'text/plain' }, /^\{.*\}$/, 'text/plain'],
  ])('is corrupted by %j, after the change was applied', async (rule, text, contentType) => {
    const service = await start();
    service.sandbox.faults.add(rule);
    const reply = await createCoupon(service);
    expect(reply.status).toBe(201);
    expect(reply.text).toMatch(text);
    expect(reply.headers.get('content-type')).toBe(contentType);
    expect(await exists(service)).toBe(true);
  });

  it.each<[FaultRule, number, RegExp, string | null]>([
    [{ fault: 'malformed-json' }, 200, /^,,$/, 'application/json'],
    [{ fault: 'empty-body' }, 204, /^$/, null],
    [{ fault: 'html-body' }, 200, /^<!doctype html>/, 'text/html'],
    [{ fault: 'content-type', contentType: 'text/plain' }, 204, /^$/, 'text/plain'],
    [{ fault: 'slow-body', ms: 20 }, 200, /^$/, 'application/json'],
  ])('that does not exist is corrupted by %j, too', async (rule, status, text, contentType) => {
    const service = await start({ variants: { revokeAnswer: 'empty' } });
    await createCoupon(service);
    service.sandbox.faults.add(rule);
    const reply = await service.call('POST', '/coupons/C/revoke');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, contentType]);
    expect(reply.text).toMatch(text);
    expect(service.sandbox.coupons.list()).toMatchObject([{ revoked_at: expect.any(String) }]);
  });

  it('arrives slowly, in small pieces, and complete', async () => {
    const { sandbox, baseUrl, full, read } = await start();
    const whole = await read('/screens');
    sandbox.faults.add({ fault: 'slow-body', ms: 100 });
    const waits = waitsOfTheSandbox();
    const headers = { authorization: `Bearer ${full.apiKey}` };
    const response = await fetch(`${baseUrl}/screens`, { headers });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body ?? []) chunks.push(chunk as Uint8Array);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual(whole);
    expect(waits.length).toBeGreaterThan(5);
    expect(new Set(waits)).toEqual(new Set([5]));
    expect(chunks.length).toBeGreaterThan(5);
  });
});

describe('latency', () => {
  it('delays the request before any other fault', async () => {
    const service = await start();
    service.sandbox.faults.add({ fault: 'latency', ms: 60 });
    service.sandbox.faults.add({ fault: 'status', status: 503 });
    const waits = waitsOfTheSandbox();
    expect(await statuses(service, 1)).toEqual([503]);
    expect(waits).toEqual([60]);
    expect(service.sandbox.journal.list().at(-1)?.faults).toEqual(['latency', 'status']);
  });

  it('can apply to every request', async () => {
    const service = await start({ latencyMs: 60 });
    const waits = waitsOfTheSandbox();
    expect(await statuses(service, 1)).toEqual([200]);
    expect(waits).toEqual([60]);
  });
});

it.each<[object, string]>([
  [
    { fault: 'explosion' },
    'fault: must be one of status, latency, reset, truncated-body, malformed-json, slow-body, html-body, empty-body, content-type.',
  ],
  [
    { fault: 'status', status: 500, headers: { 'a b': 'c' } },
    'headers: must be valid HTTP header names and values.',
  ],
  [
    { fault: 'content-type', contentType: 'a\nb' },
    'contentType: must be a valid HTTP header value',
  ],
  [{ fault: 'status', status: 99 }, 'status: '],
  [{ fault: 'empty-body', path: 'screens' }, 'path: must start with /, such as /coupons.'],
  [{ fault: 'empty-body', path: '/coupons/A*' }, 'path: takes * for a whole segment, and'],
  [{ fault: 'empty-body', path: '/**/revoke' }, 'path: takes * for a whole segment, and'],
  [{ fault: 'empty-body', times: 0 }, 'times: '],
])('an invalid rule %j is rejected with the name of the member', async (rule, named) => {
  const { sandbox } = await start();
  expect(() => sandbox.faults.add(rule as FaultRule)).toThrow(named);
  expect(sandbox.faults.list()).toEqual([]);
});

describe('the path of a fault rule', () => {
  it.each([
    ['/coupons/*', '/coupons/', false],
    ['/coupons/*', '/coupons/A', true],
    ['/coupons/*', '/coupons/A/revoke', false],
    ['/coupons/*/revoke', '/coupons/A/revoke', true],
    ['/coupons/*/*', '/coupons/A/revoke', true],
    ['/**', '/', true],
    ['/coupons/**', '/coupons', true],
    ['/coupons/**', '/coupons/A/revoke', true],
    ['/coupons/**', '/coupons-of/A', false],
    ['/coupons/{code}', '/coupons/A', true],
    ['/coupons/{code}', '/coupons/A/revoke', false],
    ['/coupons/{b', '/coupons/{b', true],
    ['/coupons/A.B', '/coupons/AxB', false],
  ])('%s against %s: %j', (pattern, path, meant) => {
    const faults = new FaultList(new SeededRandom(1));
    faults.add({ fault: 'empty-body', path: pattern });
    expect(faults.trigger('GET', path)).toHaveLength(meant ? 1 : 0);
  });

  it('returns a result even with many *', () => {
    const faults = new FaultList(new SeededRandom(1));
    faults.add({ fault: 'empty-body', path: `${'/*'.repeat(40)}/b` });
    expect(faults.trigger('GET', '/a'.repeat(4000))).toEqual([]);
  });
});
