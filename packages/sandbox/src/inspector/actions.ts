import type { CommandName } from '../commands.ts';
import { advanceInput, eventInput, faultInput, fieldsOf } from './read-form.ts';

interface Action {
  /** Said once it is done. */
  readonly done: string;
  /** What the form means as the command's input; its fields as they are unless given. */
  readonly read?: (form: URLSearchParams) => object;
}

/** The commands that the pages have forms for. */
const actions = {
  'fire-event': {
    done: 'The event happened. What was sent stands under Deliveries.',
    read: eventInput,
  },
  'advance-clock': {
    done: 'The clock moved ahead, and every retry on the way was made.',
    read: advanceInput,
  },
  'freeze-clock': { done: 'The clock stands still.' },
  'run-clock': { done: 'The clock runs.' },
  'add-webhook': { done: 'The webhook address is registered.' },
  'remove-webhook': { done: 'The webhook address is removed.' },
  redeliver: { done: 'The delivery was sent once more.' },
  'redeem-coupon': { done: 'The coupon was redeemed once.' },
  'add-fault': { done: 'The fault is switched on.', read: faultInput },
  'remove-fault': { done: 'The fault is switched off.' },
  'clear-faults': { done: 'All faults are switched off.' },
  'clear-journal': { done: 'The journal is empty.' },
  reset: { done: 'The sandbox holds what it held at its start; its clock stays where it is.' },
} satisfies Partial<Record<CommandName, Action>>;

export type ActionName = keyof typeof actions;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}

export function actionOf(name: ActionName): Required<Action> {
  return { read: fieldsOf, ...actions[name] };
}
