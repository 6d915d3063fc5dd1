import { type Action, given } from './action.ts';
import { addFault } from './add-fault.ts';
import { addWebhook } from './add-webhook.ts';
import { advanceClock } from './advance-clock.ts';
import { fireEvent } from './fire-event.ts';

const id = (form: URLSearchParams) => given(form, 'id') ?? '';

/** Everything the pages can do, by the last part of the address their forms go to. */
export const actions = {
  'fire-event': fireEvent,
  'advance-clock': advanceClock,
  'freeze-clock': { done: 'The clock stands still.', run: ({ clock }) => clock.freeze() },
  'run-clock': { done: 'The clock runs.', run: ({ clock }) => clock.run() },
  'add-webhook': addWebhook,
  'remove-webhook': {
    done: 'The webhook address is removed.',
    run: ({ webhooks }, form) => webhooks.remove(id(form)),
  },
  redeliver: {
    done: 'The delivery was sent once more.',
    run: ({ deliveries }, form) => deliveries.redeliver(id(form)),
  },
  'redeem-coupon': {
    done: 'The coupon was redeemed once.',
    run: ({ coupons }, form) => coupons.redeem(given(form, 'code') ?? ''),
  },
  'add-fault': addFault,
  'remove-fault': {
    done: 'The fault is switched off.',
    run: ({ faults }, form) => faults.remove(id(form)),
  },
  'clear-faults': { done: 'All faults are switched off.', run: ({ faults }) => faults.clear() },
  'clear-journal': { done: 'The journal is empty.', run: ({ journal }) => journal.clear() },
  reset: {
    done: 'The sandbox holds what it held at its start; its clock stays where it is.',
    run: (sandbox) => sandbox.reset(),
  },
} satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}
