import { describe, expect, it } from '@jest/globals';
import { type Auth, apiKey, clientCredentials, type ProblemError } from '@screen-advertising/core';
import { echoed, formsIn } from '../../support/secret-forms.ts';
import { key, rejection, useBench } from '../support/bench.ts';
import type { ScriptedResponse, Step } from '../support/scripted-service.ts';
import { problem, token } from '../support/steps.ts';

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
    expect(message).toContain('says: "Bearer [redacted], [redacted] and [redacted]". Check');
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
        'The access token request failed: the service reported an error (502). Retry in a few minutes.',
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
