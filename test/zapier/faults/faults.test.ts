import { describe, expect, it, jest } from '@jest/globals';
import { createCoupon, createLandingLink, findUser } from '../app/actions.ts';
import { said, status, unreadable } from '../app/fault.ts';
import { useActions } from '../app/use-service.ts';

const { service, struck } = useActions();

// The guide of all messages, which is recorded, has every step under every other fault.
describe('a 422', () => {
  it.each([findUser, createCoupon, createLandingLink])('of $name', async (action) => {
    expect(await struck(status(422), action)).toMatchObject({
      name: 'AppError',
      status: 422,
      message: `${action.label} failed: the service rejected the request (422). ${said} Correct the values of this step.`,
    });
  });
});

it.each(unreadable)('a response that %s is about the base URL', async (_what, fault) => {
  expect(await struck(fault, findUser)).toMatchObject({
    name: 'AppError',
    code: 'unexpected_response',
    message: expect.stringContaining(
      'Check that the base URL leads to the service and not to a web page.',
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
  // Sent again to find out whether the coupon exists.
  { action: createCoupon, sent: 'POST', times: 2 },
])('$action.name without a response sends $sent $times times', async ({ action, sent, times }) => {
  const { journal } = service().sandbox;
  journal.clear();
  expect(await struck({ fault: 'reset', when: 'before' }, action)).toHaveProperty('message');
  expect(journal.list().filter(({ method }) => method === sent)).toHaveLength(times);
});

it('a read after a 429 of a second is left to Zapier, which waits without a run', async () => {
  service().sandbox.journal.clear();
  const error = await struck(status(429, { 'retry-after': '1' }), findUser);
  expect(error).toMatchObject({ name: 'ThrottledError', delay: 1 });
  expect(service().calls()).toHaveLength(1);
});
