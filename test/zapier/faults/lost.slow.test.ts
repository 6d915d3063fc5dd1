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
  name: 'Find Available Screens',
  run: (zapier) =>
    zapier.search('find_available_screens', { from: '2027-03-01', to: '2027-03-31' }),
};

const namedCoupon: Action = {
  name: 'Create Coupon with a code',
  run: (zapier) => zapier.create('create_coupon', { ...newCoupon, code: 'SUMMER-25' }),
};

const never = { fault: 'latency', ms: 600_000 } as const;
const slowly = { fault: 'slow-body', ms: 600_000 } as const;
const tooLate = 'Find User got no complete response within 25 s. Replay the step later.';
const unclear = (label: string) =>
  expect.stringMatching(new RegExp(`^${label} got no clear response, `));

// A search makes many requests, within a time limit for all of them. After a change, a second
// request finds out what happened.
it.each<[step: string, Action, Fault, string, unknown]>([
  ['Find User', findUser, never, 'timeout', tooLate],
  ['Find User, whose body never ends,', findUser, slowly, 'timeout', tooLate],
  [
    'Find Available Screens',
    findAvailable,
    never,
    'timeout',
    'Find Available Screens got no response from the service within 25 s. Replay the step later.',
  ],
  ['Create Coupon', createCoupon, never, 'outcome_unknown', unclear('Create Coupon')],
  ['Create Coupon with a code', namedCoupon, never, 'outcome_unknown', unclear('Create Coupon')],
  ['Revoke Coupon', revokeCoupon, never, 'outcome_unknown', unclear('Revoke Coupon')],
  [
    'Create Landing Link',
    createLandingLink,
    never,
    'outcome_unknown',
    'Create Landing Link got no clear response, so it may have gone through. Replay the step. At worst, that creates a second link, which does no harm. Cause: Create Landing Link got no complete response within 25 s.',
  ],
])('%s fails within 30 s', async (_step, action, fault, code, message) => {
  expect(await withinZapiersLimit(fault, action)).toEqual({ name: 'AppError', code, message });
});
