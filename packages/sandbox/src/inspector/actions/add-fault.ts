import { Refusal } from '../../http/refusal.ts';
import { faultKinds } from '../fault-kinds.ts';
import { type Action, given } from './action.ts';
import { numberField } from './number-field.ts';

export const addFault: Action = {
  done: 'The fault is switched on.',
  run({ faults }, form) {
    const kind = faultKinds.find(({ id }) => id === given(form, 'kind'));
    if (!kind) throw new Refusal(400, 'invalid-parameter', 'Choose what goes wrong.');
    const [method, path] = (given(form, 'calls') ?? '').split(' ');
    const times = numberField(form, 'times');
    faults.add({
      ...kind.action,
      ...(method && { method }),
      ...(path && { path }),
      ...(times !== undefined && { times }),
    });
  },
};
