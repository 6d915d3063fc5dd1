import { expect, it, jest } from '@jest/globals';
import {
  type Action,
  createCoupon,
  createLandingLink,
  findUser,
  revokeCoupon,
  useActions,
} from '../app/actions.ts';
import { type Fault, said, status } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier.ts';

const { service, zapier, struck } = useActions();

it('a 429 without a time leaves the delay to Zapier', async () => {
  // The first wait is short, and the second one longer than a run may wait.
  jest.spyOn(Math, 'random').mockReturnValueOnce(0.001).mockReturnValue(0.99);
  expect(await struck(status(429), findUser)).toEqual({
    name: 'ThrottledError',
    message:
      'Find User failed: rate limit reached (429). The service says: "A fault." Wait a minute: Zapier retries the step automatically.',
  });
});

it.each([
  { action: findUser, sent: 'GET', times: 3 },
  { action: createLandingLink, sent: 'POST', times: 1 },
  // Sending it again and reading its code find out whether the coupon exists.
  { action: createCoupon, sent: 'POST', times: 2 },
  { action: createCoupon, sent: 'GET', times: 1 },
])('$action.name without a response sends $sent $times times', async ({ action, sent, times }) => {
  const { journal } = service().sandbox;
  journal.clear();
  // A wait too short to notice, but not none.
  jest.spyOn(Math, 'random').mockReturnValue(0.001);
  expect(await struck({ fault: 'reset', when: 'before' }, action)).toHaveProperty('message');
  expect(journal.list().filter(({ method }) => method === sent)).toHaveLength(times);
});

const busy = status(503, { 'retry-after': '12' });
const wait = 'Wait 12 s: Zapier retries the step automatically.';
const link = 'Create Landing Link got no clear response, so it may have gone through.';
const noHarm = 'At worst, that creates a second link, which does no harm. Cause: ';
const revoke = 'Revoke Coupon got no clear response, so the coupon SPRING-25 may be revoked.';
const once = 'A coupon is revoked only once, so that does no harm. Cause: ';
const fails = { name: 'AppError', code: 'outcome_unknown' };
const throttled = { name: 'ThrottledError', delay: 12 };

it.each<[what: string, Action, Fault, object, string]>([
  [
    'a search after an empty response',
    findUser,
    { fault: 'empty-body' },
    { name: 'AppError', code: 'unexpected_response', status: 200 },
    'Check that the Base URL leads to the service and not to a web page.',
  ],
  [
    'a search after a 503 with a time',
    findUser,
    busy,
    throttled,
    `Find User failed: the service reported an error (503). ${said} ${wait}`,
  ],
  [
    'a coupon after a 503 with a time',
    createCoupon,
    busy,
    throttled,
    'Retrying is safe: it finds the coupon',
  ],
  [
    'a link after a 503 with a time',
    createLandingLink,
    busy,
    throttled,
    `${link} ${wait} ${noHarm}`,
  ],
  [
    'a revocation after a 503 with a time',
    revokeCoupon,
    busy,
    throttled,
    `${revoke} ${wait} ${once}`,
  ],
  [
    'a revocation after a 500',
    revokeCoupon,
    status(500),
    { ...fails, status: 500 },
    `${revoke} Replay the step. ${once}`,
  ],
  [
    'a link after a lost response',
    createLandingLink,
    { fault: 'reset', when: 'after' },
    fails,
    `${link} Replay the step. ${noHarm}`,
  ],
])('%s says what to do', async (_what, action, fault, error, message) => {
  expect(await struck(fault, action)).toEqual({
    ...error,
    message: expect.stringContaining(message),
  });
});

it.each([
  ['poll', 'new_screen', 'Zapier checks again with the next poll.'],
  ['poll', 'screen_list', 'Load the list again later.'],
  ['search', 'find_user', 'Replay the step later.'],
] as const)('only what can be replayed is to be replayed: %s of %s', async (kind, key, todo) => {
  service().sandbox.faults.add(status(503));
  const error = await zapier()[kind](key, { email: 'lead@example.com' }).catch(readZapierError);
  service().sandbox.faults.clear();
  expect(error).toMatchObject({
    name: 'AppError',
    message: expect.stringMatching(new RegExp(`\\(503\\)\\. ${said} ${todo}$`)),
  });
});

it.each([findUser, createCoupon, createLandingLink])(
  '$name after a 429 of a second is left to Zapier, which waits without a run',
  async (action) => {
    service().sandbox.journal.clear();
    const error = await struck(status(429, { 'retry-after': '1' }), action);
    expect(error).toMatchObject({ name: 'ThrottledError', delay: 1 });
    expect(service().calls()).toHaveLength(1);
  },
);
