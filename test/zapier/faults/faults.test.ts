import { describe, expect, it, jest } from '@jest/globals';
import { createCoupon, createLandingLink, findUser } from '../app/actions.ts';
import { said, status, unreadable } from '../app/fault.ts';
import { useActions } from '../app/use-service.ts';

const { struck } = useActions();

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
