import { type EventName, events } from '@screen-advertising/core';
import { Refusal } from '../../http/refusal.ts';
import { type Action, given } from './action.ts';
import { toNumber } from './number-field.ts';

export const fireEvent: Action = {
  done: 'The event happened. What was sent stands under Deliveries.',
  run: (sandbox, form) =>
    sandbox.fire(given(form, 'type') as EventName, eventData(form), {
      access: given(form, 'access'),
    }),
};

/** The fields that were filled in, numbers where the event's sample has numbers, and further ones. */
function eventData(form: URLSearchParams): Record<string, unknown> {
  const type = given(form, 'type') ?? '';
  const sample: Readonly<Record<string, unknown>> = Object.hasOwn(events, type)
    ? events[type as EventName].sample
    : {};
  const fields = Object.entries(sample).flatMap(([name, example]) => {
    const text = given(form, `data.${name}`);
    if (text === undefined) return [];
    return [[name, typeof example === 'number' ? toNumber(name, text) : text]];
  });
  return { ...Object.fromEntries(fields), ...moreFields(given(form, 'more')) };
}

function moreFields(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below, like JSON of another kind.
  }
  throw new Refusal(
    400,
    'malformed-body',
    'Further fields must be a JSON object such as {"amount_cents": 5000}.',
  );
}
