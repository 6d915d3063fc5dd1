import { describe, expect, it } from '@jest/globals';
import { type Auth, apiKey, clientCredentials, type ProblemError } from '@screen-advertising/core';
import { escapeInvisible, safeOutsideText } from '@screen-advertising/core/platform';
import fc from 'fast-check';
import { createRedact, redactAll } from '../../../shared/src/client/redact.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { echoed, formsIn, formsOf } from '../../support/secret-forms.ts';
import { cases, seed } from '../../support/tier.ts';
import { key, useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import type { ScriptedResponse, Step } from '../support/scripted-service.ts';
import { problem, token } from '../support/steps.ts';

describe('redactor', () => {
  it.each([
    ['key svc_abc-123.', [], 'key [redacted]'],
    ['"svc_abc"}', [], '"[redacted]"}'],
    ['authorization: bearer abcdefghijklmnopqrstuvwxyz', [], 'authorization: [redacted]'],
    ['The bearer token is missing', [], 'The bearer token is missing'],
    ['one and one', ['one', ''], '[redacted] and [redacted]'],
    ['(a.b), but not (a-b)', ['a.b'], '([redacted]), but not (a-b)'],
    ['one, one-and-two', ['one', 'one-and-two'], '[redacted], [redacted]'],
  ])('%j with %j', (text, secrets, clean) => {
    expect(createRedact(secrets)(text)).toBe(clean);
  });
});

const oddSecret = 'odd/"secret"&<of>\'=+ ?%5C.~!(*)\\ü€😀';

describe.each(['plain-secret_42', 'a secret of words', oddSecret])('the secret %s', (secret) => {
  it.each(Object.entries(formsOf(secret)))('is found %s', (_form, text) => {
    const rest = createRedact(['another', secret])(`Before ${text} after`);
    expect(rest).toMatch(/^Before "?[\w+/]{0,20}\[redacted\]"? after$/);
  });
});

it('does not search a long token without an end again and again', () => {
  const token = 'eyJ-a_b.c+d/e=f~'.repeat(100);
  const text = token.slice(0, -1);
  expect(createRedact([token])(text)).toBe(text);
  expect(createRedact([token])(encodeURIComponent(text))).toBe(encodeURIComponent(text));
});

describe('redactAll', () => {
  it('redacts texts and member names at any depth, and leaves the rest', () => {
    const value = { a: ['secret', { secret: 1, b: null }], c: true, d: 1.5 };
    expect(redactAll(value, createRedact(['secret']))).toEqual({
      a: ['[redacted]', { '[redacted]': 1, b: null }],
      c: true,
      d: 1.5,
    });
  });
});

const secrets = [
  'rly_0123456789-abc.whsec_c2VjcmV0',
  'ünder/cover "secret" & <of> words',
  'plain_42-x',
];
const encoded = secrets.flatMap((secret) => Object.values(formsOf(secret)));
/** Once the text is on one line, these are the same. */
const broken = encoded.filter((form) => / /.test(form)).map((form) => form.replaceAll(' ', '\n '));
const forms = [...encoded, ...broken];

const unsafe = [
  0, 7, 0x0a, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x200b, 0x200e, 0x2028, 0x202e, 0x2066, 0xfeff, 0xd800,
  0xe0041,
];
const noise = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(...unsafe.map((code) => String.fromCodePoint(code))),
  fc.constantFrom(' ', '\t\n', '=', '&', '"'),
);
const text = fc
  .array(fc.oneof(noise, fc.constantFrom(...forms)), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('text from outside', () => {
  it('shows no secret in any encoding and no invisible character, and is bounded', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 400 }), (given, maxLength) => {
        const shown = safeOutsideText(given, { secrets, maxLength });
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(shown.length).toBeLessThanOrEqual(maxLength + 1);
        expect(formsIn(shown, ...secrets)).toEqual([]);
      }),
      { numRuns: cases(16_000), seed },
    );
  });

  it.each([
    ['a\u001b[31mb\u009bc', 'a\\u001b[31mb\\u009bc'],
    ['evil\u202egpj.exe', 'evil\\u202egpj.exe'],
    ['line\r\n\u2028 two\u0085', 'line two'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['half \ud83d', 'half \ufffd'],
    ['Zürich 😀', 'Zürich 😀'],
  ])('%j is shown as %j', (given, shown) => {
    expect(escapeInvisible(given)).toBe(shown);
    expect(safeOutsideText(given)).toBe(shown);
  });

  it('is cut at 300 characters, and 7 MB of it cost no more than one search', () => {
    expect(safeOutsideText('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
    expect(safeOutsideText(`${' '.repeat(7_000_000)}x`)).toBe('');
  });
});

const bench = useBench();
const clientSecret = 'top/"secret"\\<word>&+=\'%C3 ü€😀';
const accessToken = 'token~of+the/access=1234567890';
const oddKey = 'svc_odd"key"/<of>&+=\'%';

const repeat = echoed(clientSecret, accessToken, oddKey);

const answers: readonly (readonly [string, ScriptedResponse])[] = [
  ['the detail of a problem', problem(400, { detail: repeat })],
  ['other members of a problem', problem(409, { type: repeat, seen: [{ repeat, [repeat]: 1 }] })],
  ['a text', { status: 502, body: repeat }],
  ['the title of a page', { status: 502, body: `<title>${repeat.replaceAll('<', '')}</title>` }],
  ['other JSON', { status: 400, body: { message: repeat } }],
  ['a success response', { status: 200, body: `<title>${repeat.replaceAll('<', '')}</title>` }],
  [
    'a content type',
    { status: 500, headers: { 'content-type': `text/${accessToken}` }, body: 'x' },
  ],
  ['a redirect', { status: 302, headers: { location: `https://${accessToken}.example` } }],
];

/** The error of a call that gets this response from the service. */
async function errorOf(
  answer: Step,
  auth: Auth = clientCredentials({ clientId: 'id', clientSecret }),
) {
  bench.service.on('POST /oauth/token', token(accessToken));
  bench.service.on('GET /screens/scr_1', answer);
  return rejection(bench.client({ auth, retry: false }).screens.get({ screenId: 'scr_1' }));
}

describe('a secret that the service quotes in any form', () => {
  it.each(answers)('in %s shows in no error', async (_where, answer) => {
    expect(formsIn(await errorOf(answer), clientSecret, accessToken)).toEqual([]);
    expect(formsIn(await errorOf(answer, apiKey(oddKey)), oddKey)).toEqual([]);
  });

  it('leaves the rest of the problem as it is', async () => {
    const detail = `Bearer ${accessToken}, ${encodeURIComponent(clientSecret)} and ${key}.`;
    const answer = problem(400, { detail, seen: [{ clientSecret, [accessToken]: 1 }], hint: 'x' });
    const { message, problem: document } = (await errorOf(answer)) as ProblemError;
    expect(message).toContain(
      'says: "Bearer [redacted], [redacted] and [redacted]". It adds: {"seen":[{"clientSecret":"[redacted]","[redacted]":1}],"hint":"x"}. Check',
    );
    expect(document?.seen).toEqual([{ clientSecret: '[redacted]', '[redacted]': 1 }]);
    expect(document?.hint).toBe('x');
  });

  it('leaves the sentence "the bearer token has expired" alone', async () => {
    const error = await errorOf(problem(401, { detail: 'The bearer token has expired.' }));
    expect((error as Error).message).toContain('The service says: "The bearer token has expired."');
  });
});

describe('at the token endpoint', () => {
  const auth = clientCredentials({ clientId: 'id', clientSecret });
  const get = () => bench.client({ auth, retry: false }).screens.get({ screenId: 'scr_1' });

  it.each([401, 503])('status %i shows no secret, and nothing but its detail', async (status) => {
    const detail = `It was ${echoed(clientSecret)}.`;
    const members = { type: 'unasked', title: 'Unasked', detail, hint: 'unasked' };
    bench.service.on('POST /oauth/token', problem(status, members));
    const error = (await rejection(get())) as ProblemError;
    expect(formsIn(error, clientSecret, 'unasked', 'Unasked')).toEqual([]);
    expect(error.problem).toEqual({ detail: expect.stringMatching(/^It was "?\[redacted\]/) });
  });

  it('a web page is not quoted at all', async () => {
    bench.service.on('POST /oauth/token', { status: 502, body: '<title>Unasked</title>' });
    expect(await rejection(get())).toMatchObject({
      message:
        'The access token request failed: the service, or something in front of it, reported an error (502). Retry in a few minutes.',
    });
  });

  it('the previous token is hidden like the secret', async () => {
    const old = problem(503, { detail: `It was ${echoed(accessToken)}.` });
    bench.service.on('POST /oauth/token', token(accessToken), old);
    bench.service.on('GET /screens/scr_1', problem(401));
    const error = await rejection(get());
    expect((error as Error).message).toContain('says: "It was [redacted], [redacted]');
    expect(formsIn(error, accessToken)).toEqual([]);
  });
});
