import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import {
  type Action,
  createCoupon,
  createLandingLink,
  findUser,
  newCoupon,
  reads,
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

/** It fills a field in the editor, where there is no step to replay yet. */
const isDropdown = (title: string) => title.startsWith('List of ');

/** Zapier starts them, so a person has nothing to replay. */
const polls = ['New Campaign Request', 'New Screen', 'Campaign Request Status Changed'];

function remedyOf(title: string): string {
  if (isDropdown(title)) return 'Load the list again later.';
  return polls.includes(title)
    ? 'Zapier checks again with the next poll.'
    : 'Replay the step later.';
}

const tooLate = (title: string) =>
  `${title} got no complete response within 25 s. ${remedyOf(title)}`;
const silent = (title: string) =>
  `${title} got no response from the service within 25 s. ${remedyOf(title)}`;

const createNamedCoupon: Action = {
  ...createCoupon,
  name: 'Create Coupon with a code',
  run: (zapier) => zapier.create('create_coupon', { ...newCoupon, code: 'SUMMER-25' }),
};

/** These make many requests, within a separate time limit. */
const ofManyRequests = [
  'Find Screen by name',
  'Find Available Screens',
  ...polls,
  'List of Countries',
  'List of Orientations',
];

const [silence, ...others] = faults;

it.each([
  ...reads.map((action) => ({ what: silence[0], fault: silence[1], action })),
  ...others.map(([what, fault]) => ({ what, fault, action: findUser })),
])('$action.name fails within 30 s when the response $what', async ({ fault, action }) => {
  const isLong = ofManyRequests.includes(action.name);
  const message = (isLong ? silent : tooLate)(action.label);
  expect(await withinZapiersLimit(fault, action)).toEqual({
    name: 'AppError',
    code: 'timeout',
    message,
  });
});

it.each([createCoupon, createNamedCoupon, revokeCoupon])(
  '$name can be replayed, and says so within 30 s although a second request finds out what happened',
  async (action) => {
    const begins = new RegExp(`^${action.label} got no clear response, `);
    expect(await withinZapiersLimit(silence[1], action)).toMatchObject({
      name: 'AppError',
      code: 'outcome_unknown',
      message: expect.stringMatching(begins),
    });
  },
);

it('Create Landing Link fails within 30 s, and can be replayed', async () => {
  expect(await withinZapiersLimit(silence[1], createLandingLink)).toEqual({
    name: 'AppError',
    code: 'outcome_unknown',
    message:
      'Create Landing Link got no clear response, so it may have gone through. Replay the step. At worst, that creates a second link, which does no harm. Cause: Create Landing Link got no complete response within 25 s.',
  });
});
