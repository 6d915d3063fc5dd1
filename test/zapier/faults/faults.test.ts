import { describe, expect, it, jest } from '@jest/globals';
import {
  createCoupon,
  createLandingLink,
  findUser,
  revokeCoupon,
  useActions,
} from '../app/actions.ts';
import { said, status } from '../app/use-service.ts';

import { readZapierError } from '../app/zapier.ts';

const { service, zapier, struck } = useActions();

it('an empty response is about the base URL', async () => {
  expect(await struck({ fault: 'empty-body' }, findUser)).toMatchObject({
    name: 'AppError',
    code: 'unexpected_response',
    message: expect.stringContaining(
      'Check that the Base URL leads to the service and not to a web page.',
    ),
  });
});

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

describe('a service that says when to retry', () => {
  const overloaded = status(503, { 'retry-after': '12' });

  it('is asked again then, by a read', async () => {
    expect(await struck(overloaded, findUser)).toEqual({
      name: 'ThrottledError',
      delay: 12,
      message: `Find User failed: the service reported an error (503). ${said} Wait 12 s: Zapier retries the step automatically.`,
    });
  });

  it('is asked again by a change that cannot be made twice', async () => {
    expect(await struck(overloaded, createCoupon)).toMatchObject({
      name: 'ThrottledError',
      delay: 12,
      message: expect.stringMatching(/^Create Coupon got no clear response, .* Retrying is safe: /),
    });
  });
});

describe('a link whose response is lost', () => {
  it('fails the run, which its owner can replay', async () => {
    const lost = { fault: 'reset', when: 'after' } as const;
    expect(await struck(lost, createLandingLink)).toEqual({
      name: 'AppError',
      code: 'outcome_unknown',
      message: expect.stringMatching(
        /^Create Landing Link got no clear response, so it may have gone through\. Replay the step\. At worst, that creates a second link, which does no harm\. Cause: /,
      ),
    });
  });

  it('is requested again by Zapier when the service says when', async () => {
    const busy = status(503, { 'retry-after': '12' });
    expect(await struck(busy, createLandingLink)).toEqual({
      name: 'ThrottledError',
      delay: 12,
      message: expect.stringMatching(
        /^Create Landing Link got no clear response, so it may have gone through\. Wait 12 s: Zapier retries the step automatically\. At worst, that creates a second link, which does no harm\. Cause: /,
      ),
    });
  });
});

it.each([
  [status(500), 'AppError', 'Replay the step.'],
  [
    status(503, { 'retry-after': '12' }),
    'ThrottledError',
    'Wait 12 s: Zapier retries the step automatically.',
  ],
])('a revocation whose response is %j can be replayed: %s', async (fault, name, todo) => {
  expect(await struck(fault, revokeCoupon)).toMatchObject({
    name,
    message: expect.stringContaining(
      `Revoke Coupon got no clear response, so the coupon SPRING-25 may be revoked. ${todo} A coupon is revoked only once, so that does no harm. Cause: `,
    ),
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
