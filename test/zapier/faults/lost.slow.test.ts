import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import {
  type Action,
  createCoupon,
  createLandingLink,
  findUser,
  newCoupon,
  revokeCoupon,
  useActions,
} from '../app/actions.ts';
import type { Fault } from '../app/use-service.ts';

const { struck } = useActions();
// A retry without a wait would end in real time, which the simulated seconds here outrun.
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.useRealTimers();
});

const faults = [
  ['never arrives', { fault: 'latency', ms: 600_000 }],
  ['arrives too slowly', { fault: 'slow-body', ms: 600_000 }],
  ['is cut off', { fault: 'truncated-body' }],
] as const satisfies (readonly [what: string, fault: Fault])[];

/** Zapier ends a run after 30 s, so the error must appear before that. */
async function withinZapiersLimit(fault: Fault, action: Action): Promise<unknown> {
  jest.useFakeTimers({
    doNotFake: [
      'hrtime',
      'nextTick',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
    ],
  });
  const result = struck(fault, action);
  let isSettled = false;
  void result.finally(() => {
    isSettled = true;
  });
  for (let second = 0; second < 29 && !isSettled; second += 1) {
    await untilIdle();
    jest.advanceTimersByTime(1000);
  }
  await untilIdle();
  return isSettled ? result : 'still running';
}

/** Lets the sockets of this process do their work. */
async function untilIdle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const findAvailable: Action = {
  ...findUser,
  name: 'Find Available Screens',
  run: (zapier) =>
    zapier.search('find_available_screens', { from: '2027-03-01', to: '2027-03-31' }),
};

const tooLate = 'Find User got no complete response within 25 s. Replay the step later.';

it.each([
  ...faults.map(([what, fault]) => ({ action: findUser, what, fault, message: tooLate })),
  // It makes many requests, within a time limit for all of them.
  {
    action: findAvailable,
    what: faults[0][0],
    fault: faults[0][1],
    message:
      'Find Available Screens got no response from the service within 25 s. Replay the step later.',
  },
])('$action.name fails within 30 s when a response $what', async ({ action, fault, message }) => {
  const error = await withinZapiersLimit(fault, action);
  expect(error).toEqual({ name: 'AppError', code: 'timeout', message });
});

const createNamedCoupon: Action = {
  ...createCoupon,
  name: 'Create Coupon with a code',
  run: (zapier) => zapier.create('create_coupon', { ...newCoupon, code: 'SUMMER-25' }),
};

it.each([createCoupon, createNamedCoupon, revokeCoupon])(
  '$name can be replayed, and says so within 30 s although a second request finds out what happened',
  async (action) => {
    const begins = new RegExp(`^${action.label} got no clear response, `);
    expect(await withinZapiersLimit(faults[0][1], action)).toMatchObject({
      name: 'AppError',
      code: 'outcome_unknown',
      message: expect.stringMatching(begins),
    });
  },
);

it('Create Landing Link fails within 30 s, and can be replayed', async () => {
  expect(await withinZapiersLimit(faults[0][1], createLandingLink)).toEqual({
    name: 'AppError',
    code: 'outcome_unknown',
    message:
      'Create Landing Link got no clear response, so it may have gone through. Replay the step. At worst, that creates a second link, which does no harm. Cause: Create Landing Link got no complete response within 25 s.',
  });
});
