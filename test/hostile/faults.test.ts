import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ScreenAdvertisingError, type Transport } from '@screen-advertising/core';
import { key } from '../shared/support/bench.ts';
import type { Step } from '../shared/support/scripted-service.ts';
import { problem, reset } from '../shared/support/steps.ts';
import { useTokenBench } from '../shared/support/token-bench.ts';

const bench = useTokenBench();

/** Right for every call, the one for an access token too. */
const record = {
  id: 'scr_1',
  code: 'OWN-1',
  lead_email: 'lead@example.com',
  access_token: 't1',
};
const text = JSON.stringify(record);

/**
 * What four calls end with when every response is struck: a read, a coupon that can be read back, a
 * link, which cannot, and a read whose access token is struck instead.
 */
async function struckBy(
  step: Step,
  transport: Transport = bench.transport,
): Promise<Record<'screen' | 'coupon' | 'link' | 'token', string>> {
  bench.service.on('GET /screens/scr_1', step);
  bench.service.on('POST /coupons', step);
  bench.service.on('GET /coupons/OWN-1', { body: record });
  bench.service.on('POST /landing-links', step);
  bench.service.on('POST /oauth/token', step);
  const client = bench.client({ transport });
  const withToken = bench.clientWithToken({ transport });
  const coupon = { discount_type: 'free_days', discount_value: 3, code: 'OWN-1' } as const;
  return {
    screen: await ending(() => client.screens.get({ screenId: 'scr_1' })),
    coupon: await ending(() =>
      client.coupons.create({ ...coupon, lead_email: 'lead@example.com' }),
    ),
    link: await ending(() => client.landingLinks.create({ utm_campaign: 'spring' })),
    token: await ending(() => withToken.screens.get({ screenId: 'scr_1' })),
  };
}

/** The requests in short, and `done` or the error. */
async function ending(call: () => Promise<unknown>): Promise<string> {
  bench.service.received = [];
  const end = await bench.clock.run(call().then(() => 'done', inShort));
  // Whatever the service said, it must hold no one back a day later.
  await bench.clock.advance(86_400_000);
  return `${bench.service.received.map(({ method }) => method).join(' ')}: ${end}`;
}

function inShort(error: unknown): string {
  if (!ScreenAdvertisingError.isInstance(error)) return `untyped: ${error}`;
  const shown = inspect(error, { depth: 9, showHidden: true });
  for (const secret of [key, bench.credentials.clientSecret]) expect(shown).not.toContain(secret);
  return `${error.code}${error.status ? ` ${error.status}` : ''}${error.isRetryable ? ', retryable' : ''}`;
}

type Spoil = (response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };
const sends =
  (headers: Readonly<Record<string, string | number>>, body: string | Uint8Array): Spoil =>
  (response) => {
    response.writeHead(200, headers).end(body);
  };
const encoded = (encoding: string, body: string | Uint8Array): Spoil =>
  sends({ ...json, 'content-encoding': encoding }, body);

/** How the four calls end, by what becomes of every response. */
const ends = {
  // The read is retried, the coupon looked for.
  lost: {
    screen: 'GET GET GET GET: network_error, retryable',
    coupon: 'POST POST POST POST GET: done',
    link: 'POST: outcome_unknown',
    token: 'POST POST POST POST: network_error, retryable',
  },
  late: {
    screen: 'GET GET GET GET: timeout, retryable',
    coupon: 'POST POST POST POST GET: done',
    link: 'POST: outcome_unknown',
    token: 'POST POST POST POST: timeout, retryable',
  },
  // A retry would only get it again.
  useless: {
    screen: 'GET: network_error',
    coupon: 'POST GET: done',
    link: 'POST: outcome_unknown',
    token: 'POST: network_error',
  },
  'a success that says nothing': {
    screen: 'GET: unexpected_response 200',
    coupon: 'POST GET: done',
    link: 'POST: outcome_unknown 200',
    token: 'POST: unexpected_response 200',
  },
  'odd, but readable': {
    screen: 'GET: done',
    coupon: 'POST: done',
    link: 'POST: done',
    token: 'POST GET: done',
  },
} as const;

/** Short of time, except for the one request whose response arrives. */
const hasty = (): Transport => {
  const { clock, send } = bench.transport;
  const limitOf = (url: string) => (url.endsWith('/coupons/OWN-1') ? 60_000 : 100);
  return { clock, send: (request) => send({ ...request, timeoutMs: limitOf(request.url) }) };
};

it.each<[how: keyof typeof ends, what: string, Step]>([
  ['lost', 'a reset', reset],
  ['lost', 'a connection closed without a word', (response) => void response.socket?.destroy()],
  ['lost', 'garbage instead of HTTP', (response) => void response.socket?.end('SSH-2.0\r\n\r\n')],
  [
    'lost',
    'headers without end',
    (response) => void response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`),
  ],
  [
    'lost',
    'a body cut off before its length',
    (response) => {
      response.writeHead(200, { ...json, 'content-length': 100 });
      response.write(text, () => response.destroy());
    },
  ],
  [
    'lost',
    'a body cut off within its chunks',
    (response) => {
      response.writeHead(200, json).write(text, () => response.destroy());
    },
  ],
  ['lost', 'gzip that is none', encoded('gzip', text)],
  ['lost', 'gzip that stops half way', encoded('gzip', gzipSync(text).subarray(0, 20))],
  [
    'lost',
    'gzip with more behind it',
    encoded('gzip', Buffer.concat([gzipSync(text), Buffer.from('x')])),
  ],
  ['late', 'no headers', () => undefined],
  [
    'late',
    'a body that stops half way',
    (response) => {
      response.writeHead(200, { ...json, 'content-length': 100 }).write(text);
    },
  ],
  [
    'late',
    'a body that drips for ever',
    (response) => {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
  ['useless', 'br that was not requested', encoded('br', brotliCompressSync(text))],
  ['useless', 'a gzip bomb', encoded('gzip', gzipSync(text.padEnd(10_000_000)))],
  ['useless', '10 MB', sends(json, text.padEnd(10_000_000))],
  ['a success that says nothing', 'half of the JSON', sends(json, text.slice(0, 20))],
  ['a success that says nothing', 'malformed JSON', sends(json, `${text},,`)],
  ['a success that says nothing', 'a JSON text', sends(json, '"ok"')],
  ['a success that says nothing', 'JSON null', sends(json, 'null')],
  [
    'a success that says nothing',
    'a page of a proxy',
    sends({ 'content-type': 'text/html' }, '<h1>Sign in</h1>'),
  ],
  ['a success that says nothing', 'an empty body', sends(json, '')],
  ['odd, but readable', 'JSON said to be text', sends({ 'content-type': 'text/plain' }, text)],
  ['odd, but readable', 'JSON said to be a picture', sends({ 'content-type': 'image/png' }, text)],
  ['odd, but readable', 'JSON behind a byte order mark', sends(json, `\u{feff}${text}`)],
  ['odd, but readable', 'gzip', encoded('gzip', gzipSync(text))],
])('%s: %s', async (how, _what, step) => {
  expect(await struckBy(step, how === 'late' ? hasty() : bench.transport)).toEqual(ends[how]);
});

/** A response that says that nothing was done: the next request would get it, too. */
const endsAll = (end: string) => ({
  screen: `GET: ${end}`,
  coupon: `POST: ${end}`,
  link: `POST: ${end}`,
  token: `POST: ${end}`,
});

describe('a redirect: no one follows it', () => {
  it.each([
    [301, 'http://elsewhere.example/'],
    [302, undefined],
    [303, '/elsewhere'],
    [307, 'https://elsewhere.example/'],
  ])('%i to %s', async (status, location) => {
    const headers = location === undefined ? {} : { location };
    expect(await struckBy({ status, headers })).toEqual(endsAll(`unexpected_response ${status}`));
  });
});

describe('a refusal counts, whatever becomes of its words', () => {
  const bodies: readonly [string, Step][] = [
    ['as they are', problem(403)],
    ['in plain text that claims to be gzip', problem(403, {}, { 'content-encoding': 'gzip' })],
    ['in an unknown encoding', problem(403, {}, { 'content-encoding': 'rot13' })],
  ];

  it.each(bodies)('%s', async (_what, step) => {
    expect(await struckBy(step)).toEqual({
      ...endsAll('missing_scope 403'),
      token: 'POST: authentication_failed 403',
    });
  });

  it('but a page of a proxy proves nothing about the service', async () => {
    const headers = { 'content-type': 'text/html' };
    expect(await struckBy({ status: 403, headers, body: '<h1>Blocked</h1>' })).toEqual(
      endsAll('unexpected_response 403'),
    );
  });
});
