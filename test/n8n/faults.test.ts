import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { type Operation, operations, TransportError } from '@screen-advertising/core';
import type { FaultRule } from '@screen-advertising/sandbox';
import type { INodeParameters } from 'n8n-workflow';
import { startWorld, type World } from './world.ts';

let world: World;

// Failures use up the retries of an access, so each test gets a new one.
beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
});
afterEach(() => world.stop());

const apiKey = { authentication: 'apiKey' };
const getScreen = {
  ...{ ...apiKey, resource: 'screen', operation: 'get' },
  screenId: { __rl: true, mode: 'id', value: 'scr_berlin_0001' },
};
const lookUp = { ...apiKey, resource: 'user', operation: 'lookUp', email: 'lead@example.com' };
const revoke = { ...apiKey, resource: 'coupon', operation: 'revoke', code: 'SPRING-25' };
const create = {
  ...{ ...apiKey, resource: 'coupon', operation: 'create' },
  ...{ discount_value: 10, lead_email: 'lead@example.com' },
};

/** Runs an operation during a fault; gives the error that ends it. */
async function struck(parameters: INodeParameters, rule: FaultRule) {
  world.sandbox.faults.add(rule);
  return (await world.run(parameters)).error;
}

/** The item of an operation that fails, where the workflow continues. */
async function failed(parameters: INodeParameters, rule: FaultRule) {
  world.sandbox.faults.add(rule);
  const node = { type: 'screenAdvertising', parameters, onError: 'continueRegularOutput' } as const;
  return (await world.engine.runNode(node)).output('Screen Advertising')[0]?.json;
}

const page = { body: '<title>No</title>', contentType: 'text/html' };
const unproved =
  'The response is not a problem document, so it may come from a proxy (text/html, 17 characters, titled "No").';
const credential = 'the credential "Screen Advertising account"';

// The guide to the messages holds those of all operations and statuses.
it.each<[rule: FaultRule, message: string, description: string]>([
  [
    { fault: 'status', status: 400, ...page },
    'The service, or something in front of it, refused the request (400)',
    `${unproved} Check that the base URL in ${credential} leads to the service, and any proxy in between.`,
  ],
  [
    { fault: 'status', status: 401, ...page },
    `The service, or something in front of it, did not accept ${credential} (401)`,
    `${unproved} Paste its values again in full and check its base URL. If it still fails, ask the Screen Advertising team whether it was revoked.`,
  ],
  [
    { fault: 'status', status: 404, ...page },
    'The service was not found at the base URL (404)',
    `${unproved} Check the base URL in ${credential}: it ends in /api/v1.`,
  ],
  [
    { fault: 'status', status: 407, ...page },
    'A proxy between n8n and the service asks for credentials (407)',
    `${unproved} Ask who runs n8n to correct its proxy settings.`,
  ],
  [
    { fault: 'status', status: 409, body: '', contentType: 'text/plain' },
    'The service, or something in front of it, refused the request (409)',
    `Check that the base URL in ${credential} leads to the service, and any proxy in between.`,
  ],
  [
    { fault: 'status', status: 503, ...page },
    'The service, or something in front of it, reported an error (503)',
    `${unproved} Retry in a few minutes. If it keeps failing, tell the Screen Advertising team the time and the operation.`,
  ],
  [
    { fault: 'status', status: 302, headers: { location: 'https://elsewhere.example/' } },
    'Get Screen failed: redirects are not followed, to protect credentials (302 to https://elsewhere.example)',
    'Check the base URL.',
  ],
])('%j, which proves nothing about the service, says: %s', async (rule, message, description) => {
  const error = await struck(getScreen, rule);
  expect(error).toMatchObject({
    name: 'NodeApiError',
    httpCode: String(rule.fault === 'status' && rule.status),
    message,
    description,
  });
});

const gone = 'If you wanted it gone, there is nothing left to do. Coupon > Get shows its status.';
it.each([
  ['Not possible.', 'Coupon > Get shows its status.'],
  ['The coupon cannot be revoked by this access.', 'Coupon > Get shows its status.'],
  ['The coupon was revoked.', gone],
  ['It has already been redeemed.', gone],
])('a coupon is gone only if the service says so: %s', async (detail, advice) => {
  const error = await struck(revoke, { fault: 'status', status: 400, detail });
  expect(error?.message).toBe(
    'Coupon "SPRING-25" cannot be revoked: it is no longer active, or was already redeemed (400)',
  );
  expect(error?.description).toBe(`The service says: "${detail}" ${advice}`);
});

it('a page in place of the response to a revocation leaves its outcome open', async () => {
  const error = await struck(revoke, { fault: 'status', status: 400, ...page });
  expect(error?.description).toMatch(/ Coupon > Get shows whether the coupon is still active\.$/);
});

const leadHasOne = 'Create Coupon created nothing: lead@example.com has an active coupon';

it.each([
  ['', 'The code is taken.', leadHasOne],
  ['A', 'This e-mail address is not free.', leadHasOne],
  ['A', 'This code is taken.', 'Create Coupon created nothing: the code A exists'],
  [
    'A',
    'Not possible.',
    'Create Coupon created nothing: the code A exists, or lead@example.com has an active coupon',
  ],
])('a conflict over the coupon code "%s" is recognized by "%s"', async (code, detail, message) => {
  const rule: FaultRule = { fault: 'status', status: 409, detail };
  const additionalFields: INodeParameters = code ? { code } : { without_code: 'service' };
  const error = await struck({ ...create, additionalFields }, rule);
  expect(error?.message).toBe(message);
});

it.each([
  [899, undefined],
  [901, 'Rate limit reached (429)'],
])('a 429 of %i s is waited out, up to a quarter of an hour', async (seconds, message) => {
  const headers = { 'retry-after': String(seconds) };
  const error = await struck(lookUp, {
    fault: 'status',
    status: 429,
    headers,
    times: 1,
  });
  expect(error?.message).toBe(message);
});

it.each([
  ['screen', 'Get Many Screens'],
  ['campaignRequest', 'Get Many Campaign Requests'],
])('an error of a list (%s) names it as the form does: %s', async (resource, shown) => {
  const list = { ...apiKey, resource, operation: 'getAll' };
  const error = await struck(list, { fault: 'status', status: 200, ...page });
  expect(error?.message).toBe(
    `${shown} failed: the response with status 200 is not the expected JSON`,
  );
});

it('an unreachable service gets its own message', async () => {
  Object.assign(world.engine.credentials.screenAdvertisingApi ?? {}, {
    baseUrl: 'http://127.0.0.1:1/api/v1',
  });
  expect((await world.run(lookUp)).error).toMatchObject({
    name: 'NodeApiError',
    message: '127.0.0.1:1 refused the connection (ECONNREFUSED)',
    description: 'Check the base URL and that the service is running.',
  });
});

it.each(['gzip', 'br', 'deflate'])(
  'a response whose encoding is not the %s that it claims gets its own message',
  async (encoding) => {
    const headers = { 'content-encoding': encoding };
    const rule: FaultRule = { fault: 'status', status: 200, headers, body: '{"exists": true}' };
    const error = await struck(lookUp, rule);
    expect(error).toMatchObject({
      name: 'NodeApiError',
      message: `${new URL(world.baseUrl).host} sent a response that is not encoded as its content-encoding says`,
      description:
        'Retry: nothing was created or changed. If it keeps failing, tell the Screen Advertising team.',
    });
  },
);

const detail = 'Something that the service says.';

it('an item carries the details of its failure when the workflow continues', async () => {
  const headers = { 'x-request-id': 'req_1' };
  expect(await failed(revoke, { fault: 'status', status: 400, detail, headers })).toEqual({
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
])('a workflow that continues knows what happened: %j', async (rule, details) => {
  expect((await failed(getScreen, rule))?.details).toMatchObject(details);
});

it.each([
  ['GET', 'Retry: nothing was created or changed.'],
  ['POST', 'Retry.'],
] as const)('after a lost response to a %s, the error says: %s', (method, first) => {
  const { errorMessage } = jest.requireActual<{
    errorMessage(error: Error, context: object): { description: string };
  }>('../../packages/n8n-nodes-screen-advertising/lib/errorMessages.ts');
  const error = new TransportError('The connection broke. Retry.', {
    code: 'network_error',
    sent: 'maybe',
  });
  const operation: Operation = { ...operations['screen.get'], method };
  expect(errorMessage(error, { operation, given: () => '', credential: '' }).description).toBe(
    `${first} If it keeps failing, tell the Screen Advertising team.`,
  );
});
