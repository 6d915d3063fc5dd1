import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import {
  ConfigurationError,
  type ErrorCode,
  InputError,
  OutcomeUnknownError,
  ProblemError,
  RateLimitWaitError,
  ResponseError,
  ScreenAdvertisingError,
  TransportError,
  WebhookVerificationError,
} from '@screen-advertising/core';
import { outcomeUnknown } from '../../../shared/src/errors/error-classes.ts';

const cause = new Error('what happened');
const lost = { code: 'timeout', sent: 'maybe', cause } as const;
const refused = new WebhookVerificationError('missing_signature', 'm');
const final = { isRetryable: false };
const temporary = { isRetryable: true };

const errors: readonly [ScreenAdvertisingError, ErrorCode, object][] = [
  [new ConfigurationError('baseUrl', 'm'), 'invalid_configuration', final],
  [new InputError('Get Screen', []), 'invalid_input', final],
  [new ProblemError('not_found', 'm', { status: 404 }), 'not_found', { ...final, status: 404 }],
  [new ResponseError('m', { status: 200 }), 'unexpected_response', { ...final, status: 200 }],
  [new TransportError('m', lost), 'timeout', { ...temporary, cause }],
  [new RateLimitWaitError(1), 'rate_limited', temporary],
  [new OutcomeUnknownError('m', { cause }), 'outcome_unknown', { ...final, cause }],
  [refused, 'webhook_verification_failed', final],
];

it('joins what it knows to its message', () => {
  const problem = { title: 'Get Screen', said: 'The service says: "No."', status: 404 };
  const first = new ProblemError('not_found', 'failed: not found (404)', problem);
  expect(first.summary).toBe('Get Screen failed: not found (404)');
  expect(first.remedy).toBeUndefined();
  expect(first.message).toBe('Get Screen failed: not found (404). The service says: "No."');
  const second = new OutcomeUnknownError('It may exist', { remedy: 'Look.', cause: first });
  expect(second.message).toBe(`It may exist. Look. Cause: ${first.message}`);
});

const classes = { ConfigurationError, InputError, ProblemError, ResponseError, TransportError };

describe.each(errors)('%s', (error, code, shape) => {
  it('has a name, a code and whether a retry may help, and is recognized', () => {
    const { name } = error.constructor;
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(ScreenAdvertisingError);
    expect(error).toMatchObject({ name, code, ...shape });
    expect(inspect(error)).toContain(name);
    expect(ScreenAdvertisingError.isInstance(error)).toBe(true);
    for (const [own, Class] of Object.entries(classes)) {
      expect([error].some(Class.isInstance)).toBe(own === name);
    }
  });
});

describe('ScreenAdvertisingError.isInstance', () => {
  it('recognizes an error of another copy of this package, as in two bundles', () => {
    const copy = Object.assign(new Error('m'), { [Symbol.for('screen-advertising.error')]: true });
    expect(ScreenAdvertisingError.isInstance(copy)).toBe(true);
  });

  it.each([[new Error('m')], [{ code: 'not_found' }], [null], [undefined], ['text']])(
    'does not accept %p',
    (value) => {
      expect(ScreenAdvertisingError.isInstance(value)).toBe(false);
    },
  );
});

describe('InputError', () => {
  it('lists what is wrong in one sentence, and names the first field', () => {
    const error = new InputError('Create Coupon', [
      { field: 'code', message: 'must not be empty' },
      { field: '', message: 'the input must be an object with fields and their values' },
    ]);
    expect(error.message).toBe(
      'Create Coupon was not sent: code must not be empty; the input must be an object with fields and their values.',
    );
    expect(error.field).toBe('code');
    expect(new InputError('Create Coupon', []).field).toBeUndefined();
  });
});

it('of an unknown outcome has the request ID of its cause', () => {
  const cause = new ProblemError('service_error', 'm', { status: 502, requestId: 'req_1' });
  const outcome = { summary: 's', remedy: 'r', isRetryable: true };
  expect(outcomeUnknown('t', cause, outcome).requestId).toBe('req_1');
});
