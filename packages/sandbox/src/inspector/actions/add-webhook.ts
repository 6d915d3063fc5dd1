import { type Action, given } from './action.ts';

export const addWebhook: Action = {
  done: 'The webhook address is registered.',
  run({ webhooks }, form) {
    webhooks.add({ url: given(form, 'url') ?? '', access: given(form, 'access') });
  },
};
