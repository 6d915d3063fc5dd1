import { fieldsOf } from '@screen-advertising/page-kit';
import type { CommandName } from '../commands.ts';
import { advanceInput, eventInput, faultInput } from './read-form.ts';

interface Action {
  /** The message after the action. */
  readonly done: string;
  /** Turns the form into the command's input. Default: the form's fields as they are. */
  readonly read?: (form: URLSearchParams) => object;
}

/** The commands that have forms on the pages. */
const actions = {
  'fire-event': {
    done: 'Event fired. Deliveries shows what was sent.',
    read: eventInput,
  },
  'advance-clock': {
    done: 'Clock advanced. All retries due by then were sent.',
    read: advanceInput,
  },
  'freeze-clock': { done: 'Clock frozen.' },
  'run-clock': { done: 'Clock running.' },
  'add-webhook': { done: 'Webhook address registered.' },
  'remove-webhook': { done: 'Webhook address removed.' },
  redeliver: { done: 'Delivery sent again.' },
  'redeem-coupon': { done: 'Coupon redeemed once.' },
  'add-fault': { done: 'Fault switched on.', read: faultInput },
  'remove-fault': { done: 'Fault switched off.' },
  'clear-faults': { done: 'All faults switched off.' },
  'clear-journal': { done: 'Journal cleared.' },
  reset: { done: 'Sandbox reset to its initial data. The clock keeps its time.' },
} satisfies Partial<Record<CommandName, Action>>;

export type ActionName = keyof typeof actions;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}

export function actionOf(name: ActionName): Required<Action> {
  return { read: fieldsOf, ...actions[name] };
}
