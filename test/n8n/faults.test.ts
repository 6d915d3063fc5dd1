import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import {
  type Operation,
  type OperationName,
  operations,
  TransportError,
} from '@screen-advertising/core';
import type { FaultRule } from '@screen-advertising/sandbox';
import type { INodeParameters } from 'n8n-workflow';
import { sampleCall } from './sample-calls.ts';
import { startWorld, type World } from './world.ts';

let world: World;

// Failures use up the retries of an access, so each test gets a new one.
beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
});
afterEach(() => world.stop());

/** Runs an operation during a fault. */
async function struck(name: OperationName, rule: FaultRule, more: INodeParameters = {}) {
  const parameters = { ...(await sampleCall(world, name)), ...more };
  world.sandbox.faults.add(rule);
  const result = await world.run(parameters);
  return { ...result, items: result.output('Screen Advertising') };
}

const detail = 'Something that the service says.';

// The guide to the messages holds those of all operations and statuses.
it.each<[what: string, rule: FaultRule, code: string, message: RegExp, description: RegExp]>([
  [
    'a status without a problem document',
    { fault: 'status', status: 400, body: '<title>No</title>', contentType: 'text/html' },
    '400',
    /\(400\)$/,
    /^The response is not a problem document, so it may come from a proxy \(text\/html, 17 characters, titled "No"\)\. [A-Z]/,
  ],
  [
    'a 404 that is not from the service',
    { fault: 'status', status: 404, body: '<title>nginx</title>' },
    '404',
    /^The service was not found at the base URL \(404\)$/,
    /^The response is not a problem document, .* Check the base URL in the credential "Screen Advertising account": it ends in \/api\/v1\.$/,
  ],
  [
    'a redirect',
    { fault: 'status', status: 302, headers: { location: 'https://elsewhere.example/' } },
    '302',
    /^Get Screen failed: redirects are not followed, to protect credentials \(302 to https:\/\/elsewhere\.example\)/,
    /^Check the base URL\.$/,
  ],
])('lasting, %s: reported with what to do', async (_what, rule, code, message, description) => {
  const { error } = await struck('screen.get', rule);
  expect(error?.name).toBe('NodeApiError');
  expect(error?.httpCode).toBe(code);
  expect(error?.message).toMatch(message);
  expect(error?.description).toMatch(description);
});

const withCode = { additionalFields: { code: 'A' } };
const leadHasOne = 'lead@example.com already has an active coupon (409)';

it.each([
  ['', 'The code is taken.', leadHasOne],
  ['A', 'This e-mail address is not free.', leadHasOne],
  ['A', 'This code is taken.', 'A coupon with the code "A" already exists (409)'],
  [
    'A',
    'Not possible.',
    'The code "A" already exists, or lead@example.com has an active coupon (409)',
  ],
])('a conflict over the coupon code "%s" is recognized by "%s"', async (code, detail, message) => {
  const rule: FaultRule = { fault: 'status', status: 409, detail };
  const { error } = await struck('coupon.create', rule, code ? withCode : {});
  expect(error?.message).toBe(message);
});

it.each([
  [899, undefined],
  [901, 'Rate limit reached (429)'],
])('a 429 of %i s is waited out, up to a quarter of an hour', async (seconds, message) => {
  const headers = { 'retry-after': String(seconds) };
  const { error } = await struck('user.lookup', {
    fault: 'status',
    status: 429,
    headers,
    times: 1,
  });
  expect(error?.message).toBe(message);
});

it('an unreachable service gets its own message', async () => {
  const parameters = await sampleCall(world, 'user.lookup');
  Object.assign(world.engine.credentials.screenAdvertisingApi ?? {}, {
    baseUrl: 'http://127.0.0.1:1/api/v1',
  });
  expect((await world.run(parameters)).error).toMatchObject({
    name: 'NodeApiError',
    message: '127.0.0.1:1 refused the connection (ECONNREFUSED)',
    description: 'Check the base URL and that the service is running.',
  });
});

it('an item carries the details of its failure when the workflow continues', async () => {
  const parameters = await sampleCall(world, 'coupon.revoke');
  const headers = { 'x-request-id': 'req_1' };
  world.sandbox.faults.add({ fault: 'status', status: 400, detail, headers });
  const result = await world.engine.runNode({
    type: 'screenAdvertising',
    parameters,
    onError: 'continueRegularOutput',
  });
  const [item] = result.output('Screen Advertising');
  expect(item?.json).toEqual({
    error: expect.stringMatching(
      /^Coupon "SPRING-25" cannot be revoked: it is no longer active, or was already redeemed \(400\)\. .* Request ID: req_1\.$/,
    ),
    details: {
      code: 'invalid_request',
      status: 400,
      type: expect.any(String),
      title: expect.any(String),
      detail,
      retryable: false,
      request_id: 'req_1',
    },
  });
});

const page = { body: '<title>No</title>', contentType: 'text/html' };

it.each<[FaultRule, object]>([
  [
    { fault: 'status', status: 403 },
    { code: 'missing_scope', status: 403, retryable: false },
  ],
  [
    { fault: 'status', status: 404, ...page },
    { code: 'unexpected_response', status: 404, retryable: false },
  ],
  [
    { fault: 'status', status: 429, headers: { 'retry-after': '3600' } },
    { code: 'rate_limited', status: 429, retryable: true, retry_after: 3600 },
  ],
  [
    { fault: 'status', status: 503 },
    { code: 'service_error', status: 503, retryable: true },
  ],
  [{ fault: 'reset' }, { code: 'network_error', retryable: true }],
  [{ fault: 'html-body' }, { code: 'unexpected_response', status: 200, retryable: false }],
])('a workflow that continues can tell what happened: %j', async (rule, details) => {
  const parameters = await sampleCall(world, 'screen.get');
  world.sandbox.faults.add(rule);
  const node = { type: 'screenAdvertising', parameters, onError: 'continueRegularOutput' } as const;
  const [item] = (await world.engine.runNode(node)).output('Screen Advertising');
  expect(item?.json.details).toMatchObject(details);
});

it.each([
  ['GET', 'Retry: nothing was created or changed.'],
  ['POST', 'Retry.'],
] as const)('after a lost response to a %s, the error says: %s', (method, first) => {
  const { errorMessage } = jest.requireActual<{
    errorMessage(error: Error, context: object): { description: string };
  }>('../../packages/n8n-nodes-screen-advertising/lib/errors/errorMessages.ts');
  const error = new TransportError('The connection broke. Retry.', {
    code: 'network_error',
    sent: 'maybe',
  });
  const operation: Operation = { ...operations['screen.get'], method };
  expect(errorMessage(error, { operation, given: () => '', credential: '' }).description).toBe(
    `${first} If it keeps failing, tell the Screen Advertising team.`,
  );
});
