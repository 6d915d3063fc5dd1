import { describe, expect, it, jest } from '@jest/globals';
import {
  type ErrorCode,
  InputError,
  OutcomeUnknownError,
  operations,
  ProblemError,
  ResponseError,
  type ScreenAdvertisingError,
  TransportError,
  type WebhookFailureReason,
  WebhookVerificationError,
} from '@screen-advertising/core';
import { errors, type ZObject } from 'zapier-platform-core';
import {
  errorMessageOf,
  type NamedStep,
  toZapierError,
} from '../../../packages/zapier-screen-advertising/src/lib/errors.ts';
import { readZapierError } from '../app/zapier.ts';

const z = { errors } as ZObject;

const step: NamedStep = { label: 'Find User', scopes: ['users:read'], fields: [] };

const named = 'https://service.example/problems/x';

const problem = (code: ErrorCode, status: number, retryAfter?: number) =>
  new ProblemError(code, 'What happened.', {
    status,
    retryAfter,
    problem: { type: named },
  });

const unknown = (isRetryable: boolean, retryAfter?: number) =>
  new OutcomeUnknownError('got no clear response', { isRetryable, retryAfter });
const unsigned = (reason: WebhookFailureReason) => new WebhookVerificationError(reason, 'Refused.');
const lost = new TransportError('The connection broke', { code: 'network_error', sent: 'maybe' });

/** AppError fails the run, HaltedError ends it in silence: only a stranger's delivery does. */
it.each<[ScreenAdvertisingError, string, object]>([
  [problem('invalid_request', 422), 'AppError', { code: named, status: 422 }],
  [problem('missing_scope', 403), 'AppError', { code: named, status: 403 }],
  [problem('not_found', 404), 'AppError', { code: named, status: 404 }],
  [problem('service_error', 503), 'AppError', { code: named, status: 503 }],
  [problem('conflict', 409), 'AppError', { code: named, status: 409 }],
  [problem('authentication_failed', 401), 'ExpiredAuthError', {}],
  [problem('rate_limited', 429), 'ThrottledError', {}],
  [problem('rate_limited', 429, 3600), 'ThrottledError', { delay: 3600 }],
  [
    new ResponseError('', { status: 302 }),
    'AppError',
    { code: 'unexpected_response', status: 302 },
  ],
  [lost, 'AppError', { code: 'network_error' }],
  [new InputError('Find User', []), 'AppError', { code: 'invalid_input' }],
  [unknown(true), 'AppError', { code: 'outcome_unknown' }],
  [unknown(true, 12), 'ThrottledError', { delay: 12 }],
  [unknown(false), 'AppError', { code: 'outcome_unknown' }],
  [unknown(false, 12), 'ThrottledError', { delay: 12 }],
  [unsigned('missing_signature'), 'HaltedError', {}],
  [unsigned('signature_mismatch'), 'AppError', { code: 'webhook_verification_failed' }],
])('%s becomes %s %j', (error, name, parts) => {
  const { message: _, ...seen } = readZapierError(toZapierError(z, error, step));
  expect(seen).toEqual({ name, ...parts });
});

describe('toZapierError', () => {
  it('only says so while the user connects', () => {
    const error = toZapierError(z, problem('authentication_failed', 401), step, {
      isConnecting: true,
    });
    expect(readZapierError(error)).toMatchObject({ name: 'AppError', message: 'What happened.' });
  });

  it.each([
    [0, 18],
    [0.5, 28],
    [0.999, 38],
  ])('spreads runs of many requests over the seconds after a 429: chance %d', (chance, delay) => {
    jest.spyOn(Math, 'random').mockReturnValue(chance);
    const error = toZapierError(z, problem('rate_limited', 429, 17.2), step, { spreadSeconds: 20 });
    expect(readZapierError(error)).toMatchObject({ name: 'ThrottledError', delay });
  });

  it('keeps zapier-platform-core from adding its log of requests to the message', () => {
    expect(toZapierError(z, problem('conflict', 409), step)).toMatchObject({
      doNotContextify: true,
    });
  });

  it('shows the ID under which the service logged the request', () => {
    const details = { status: 409, problem: undefined, requestId: 'req-7' };
    const error = new ProblemError('conflict', 'What happened.', details);
    expect(readZapierError(toZapierError(z, error, step))).toMatchObject({
      message: 'What happened. Request ID: req-7',
    });
  });

  it("passes on errors that are not the client's", () => {
    const renew = new errors.RefreshAuthError();
    expect(toZapierError(z, renew, step)).toBe(renew);
  });

  it('shows no input with an error of ours', () => {
    const error = toZapierError(z, new RangeError('Invalid time zone'), step);
    expect(error).toMatchObject({ message: 'Invalid time zone', doNotContextify: true });
  });
});

it('the label of the step replaces the whole title of an operation', () => {
  for (const { title } of Object.values(operations)) {
    const error = new ResponseError('was redirected', { title, status: 302 });
    expect(errorMessageOf(error, step)).toBe('Find User was redirected.');
  }
});
