import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type OperationName, operations } from '@screen-advertising/core';
import type { FaultRule } from '@screen-advertising/sandbox';
import { sampled } from '../support/tier.ts';
import { operationNames, sampleCall } from './sample-calls.ts';
import { startWorld, type World } from './world.ts';

let world: World;

// Failures use up the retries of an access, so each test gets a new one.
beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
});
afterEach(() => world.stop());

type Fault = FaultRule extends infer Rule ? Rule : never;

/** Temporary faults, which may or may not lose a response. */
const passing: ReadonlyArray<readonly [string, Fault]> = [
  ['a 503', { fault: 'status', status: 503 }],
  ['a 503 after the change', { fault: 'status', status: 503, when: 'after' }],
  ['a reset', { fault: 'reset' }],
  ['a reset after the change', { fault: 'reset', when: 'after' }],
  ['a truncated body', { fault: 'truncated-body' }],
];

/** Success responses that cannot be read. For a change they are as good as lost. */
const unreadable: ReadonlyArray<readonly [string, Fault]> = [
  ['malformed JSON', { fault: 'malformed-json' }],
  ['a web page', { fault: 'html-body' }],
  ['an empty body', { fault: 'empty-body' }],
];

/** The service made these changes before their response was lost. */
const isDone = (rule: Fault): boolean =>
  'when' in rule ? rule.when === 'after' : !['status', 'reset'].includes(rule.fault);

/** The client cannot know whether a link was created, or find a coupon without its code. */
const isUnknown = (name: OperationName, rule: Fault): boolean =>
  operations[name].recovery === 'none' || (name === 'coupon.create' && isDone(rule));

const everywhere = (faults: ReadonlyArray<readonly [string, Fault]>) =>
  operationNames.flatMap((name) => faults.map(([fault, rule]) => [name, fault, rule] as const));

/** Runs an operation during a fault. */
async function struck(name: OperationName, rule: Fault) {
  const parameters = await sampleCall(world, name);
  const { title } = operations[name];
  world.sandbox.faults.add(rule);
  const result = await world.run(parameters);
  return { title, ...result, items: result.output('Screen Advertising') };
}

describe('a fault that strikes once ends in a correct result, or in an error that says what may have happened', () => {
  it.each(sampled(everywhere([...passing, ...unreadable])))('%s: %s', async (name, fault, rule) => {
    const { title, error, items } = await struck(name, { ...rule, times: 1 });
    const isUnreadable = unreadable.some(([other]) => other === fault);
    if (isUnreadable && operations[name].recovery === 'resend') {
      expect(error?.name).toBe('NodeApiError');
      expect(error?.message).toMatch(/^The response with status 200 /);
      expect(error?.description).toMatch(
        /^(The body: [\w/]+, \d+ characters.*\. )?Check that the base URL leads to the service and not to a web page\.$/,
      );
      return;
    }
    if (!isUnknown(name, rule)) {
      expect(error).toBeUndefined();
      expect(items.length).toBeGreaterThan(0);
      return;
    }
    expect(error?.name).toBe('NodeApiError');
    if (name === 'landingLink.create') {
      expect(error?.message).toBe(
        'No response to Create Landing Link, so the link may already exist',
      );
      expect(error?.description).toMatch(/^Retry to get a link: .* Cause: /);
    } else if (operations[name].recovery === 'none') {
      expect(error?.message).toBe(`${title} got no clear response, so it may have gone through`);
    } else {
      expect(error?.message).toMatch(new RegExp(`^${title} got no clear response, but `));
      expect(error?.description).toMatch(
        /^Ask the Screen Advertising team for its code and discount; /,
      );
    }
  });

  it.each([...passing, ...unreadable])(
    'Create Coupon with safe retries: %s',
    async (_fault, rule) => {
      const parameters = {
        ...(await sampleCall(world, 'coupon.create')),
        options: { safeRetries: true },
      };
      world.sandbox.faults.add({ ...rule, times: 1 });
      const [item] = await world.items(parameters);
      expect(item?.json).toMatchObject({ code: expect.stringMatching(/^N8N-[2-9A-Z]{12}$/) });
      expect(world.sandbox.coupons.list()).toHaveLength(1);
    },
  );
});

it("n8n's own retry finds the coupon of the first attempt, which got no response at all", async () => {
  const [times, parameters] = [4, await sampleCall(world, 'coupon.create')];
  world.sandbox.faults.add({ fault: 'reset', when: 'after', method: 'POST', times });
  world.sandbox.faults.add({ fault: 'reset', method: 'GET', times });
  const result = await world.engine.runNode({
    type: 'screenAdvertising',
    parameters: {
      ...parameters,
      additionalFields: { valid_until: '={{ $now.plus({ days: 30 }) }}' },
      options: { safeRetries: true },
    },
    retryOnFail: true,
    maxTries: 2,
    waitBetweenTries: 1,
  });
  expect(result.error).toBeUndefined();
  expect(world.sandbox.faults.list().map(({ triggered }) => triggered)).toEqual([times, times]);
  expect(result.output('Screen Advertising').map(({ json }) => json.code)).toEqual(
    world.sandbox.coupons.list().map(({ code }) => code),
  );
});

it.each(operationNames)('%s waits as long as a 429 says', async (name) => {
  const before = world.sandbox.clock.now();
  const { error } = await struck(name, {
    fault: 'status',
    status: 429,
    headers: { 'retry-after': '60' },
    times: 1,
  });
  expect(error).toBeUndefined();
  expect(world.sandbox.clock.now() - before).toBeGreaterThanOrEqual(60_000);
});

interface Told {
  readonly httpCode: string | null;
  readonly message: RegExp;
  readonly description: RegExp;
}

const detail = 'Something that the service says.';
const says = /^The service says: "Something that the service says\." [A-Z]/;

const lasting: ReadonlyArray<readonly [string, Fault, Told]> = [
  ...[400, 401, 403, 404, 409, 422].map((status): [string, Fault, Told] => [
    `a ${status}`,
    { fault: 'status', status, detail },
    {
      httpCode: String(status),
      message: new RegExp(`^(?!.*(problem|Check the fields)).* \\(${status}\\)$`),
      description: says,
    },
  ]),
  [
    'a 400 that is no problem document',
    { fault: 'status', status: 400, body: '<title>No</title>', contentType: 'text/html' },
    {
      httpCode: '400',
      message: /\(400\)$/,
      description:
        /^The response is not a problem document, so it may come from a proxy \(text\/html, 17 characters, titled "No"\)\. [A-Z]/,
    },
  ],
  [
    'a redirect',
    { fault: 'status', status: 302, headers: { location: 'https://elsewhere.example/' } },
    {
      httpCode: '302',
      message:
        /^Redirects are not followed, to protect credentials \(302 to https:\/\/elsewhere\.example\)/,
      description: /^Check the base URL\.$/,
    },
  ],
];

const withoutAnswer: ReadonlyArray<readonly [string, Fault, Told]> = [
  ...[500, 503].map((status): [string, Fault, Told] => [
    `a ${status}`,
    { fault: 'status', status, detail },
    {
      httpCode: String(status),
      message: new RegExp(`^The service is not available \\(${status}\\)$`),
      description: says,
    },
  ]),
  ...['reset', 'truncated-body'].map((fault): [string, Fault, Told] => [
    fault,
    { fault } as Fault,
    {
      httpCode: null,
      message: /^The connection to 127\.0\.0\.1:\d+ broke before the response was complete/,
      description: /^Retry: /,
    },
  ]),
  [
    'web pages',
    { fault: 'html-body' },
    {
      httpCode: '200',
      message: /is not the expected JSON$/,
      description:
        /^The body: text\/html, 53 characters, titled "502"\. Check that the base URL leads to the service and not to a web page\.$/,
    },
  ],
];

describe('a lasting fault is reported', () => {
  it.each(sampled(operationNames.flatMap((name) => lasting.map((row) => [name, ...row] as const))))(
    '%s: %s',
    async (name, _fault, rule, told) => {
      const { error } = await struck(name, rule);
      expect(error?.name).toBe('NodeApiError');
      expect(error?.httpCode).toBe(told.httpCode);
      expect(error?.message).toMatch(told.message);
      expect(error?.description).toMatch(told.description);
    },
  );

  const repeatable = operationNames.filter((name) => operations[name].recovery === 'resend');

  it.each(
    sampled(repeatable.flatMap((name) => withoutAnswer.map((row) => [name, ...row] as const))),
  )('%s: %s', async (name, _fault, rule, told) => {
    const { error } = await struck(name, rule);
    expect(error?.name).toBe('NodeApiError');
    expect(error?.httpCode ?? null).toBe(told.httpCode);
    expect(error?.message).toMatch(told.message);
    expect(error?.description).toMatch(told.description);
  });
});

it('an unreachable service gets its own message', async () => {
  const { engine } = world;
  const right = engine.credentials.screenAdvertisingApi ?? {};
  engine.credentials.screenAdvertisingApi = { ...right, baseUrl: 'http://127.0.0.1:1/api/v1' };
  const { error } = await world.run(await sampleCall(world, 'user.lookup'));
  engine.credentials.screenAdvertisingApi = right;
  expect(error?.name).toBe('NodeApiError');
  expect(error?.message).toBe('127.0.0.1:1 refused the connection (ECONNREFUSED)');
  expect(error?.description).toBe('Check the base URL and that the service is running.');
});

it.each(['screen.get', 'coupon.get', 'coupon.revoke', 'campaignRequest.get'] as const)(
  '%s: a 404 that is not from the service does not say that there is no such record',
  async (name) => {
    const body = '<title>nginx</title>';
    const { error } = await struck(name, { fault: 'status', status: 404, body });
    expect(error?.message).toBe('The partner interface was not found at the base URL (404)');
    expect(error?.description).toMatch(
      /^The response is not a problem document, .* Check the base URL in the credential "Screen Advertising account": it ends in \/api\/v1\.$/,
    );
  },
);

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
