import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
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

const json = { 'content-type': 'application/json' };
const sends =
  (headers: Readonly<Record<string, string>>, body: string | Uint8Array) =>
  (response: ServerResponse): void => {
    response.writeHead(200, headers).end(body);
  };

/**
 * How the four calls end, by what becomes of every response. What a transport makes of each way to
 * spoil one is in shared/transport/law.
 */
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
  [
    'lost',
    'a body cut off before its length',
    (response) => {
      response.writeHead(200, { ...json, 'content-length': 100 });
      response.write(text, () => response.destroy());
    },
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
    'useless',
    'a gzip bomb',
    sends({ ...json, 'content-encoding': 'gzip' }, gzipSync(text.padEnd(10_000_000))),
  ],
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
  ['odd, but readable', 'JSON behind a byte order mark', sends(json, `\u{feff}${text}`)],
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

it.each([
  [301, { location: 'http://elsewhere.example/' }],
  [302, {}],
])('no one follows a redirect: %i to %j', async (status, headers) => {
  expect(await struckBy({ status, headers })).toEqual(endsAll(`unexpected_response ${status}`));
});

describe('a refusal counts, whatever becomes of its words', () => {
  it.each<[string, Step]>([
    ['as they are', problem(403)],
    ['in plain text that claims to be gzip', problem(403, {}, { 'content-encoding': 'gzip' })],
  ])('%s', async (_what, step) => {
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
