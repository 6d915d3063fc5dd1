import { Refusal } from '../../http/refusal.ts';
import type { Action } from './action.ts';
import { numberField } from './number-field.ts';

const yearMs = 366 * 24 * 60 * 60 * 1000;

export const advanceClock: Action = {
  done: 'The clock moved ahead, and every retry on the way was made.',
  run({ clock }, form) {
    const ms = numberField(form, 'ms') ?? 0;
    if (ms >= 0 && ms <= yearMs) return clock.advance(ms);
    throw new Refusal(400, 'invalid-parameter', 'The clock moves ahead by a year at the most.');
  },
};
