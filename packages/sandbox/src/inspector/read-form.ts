import { type EventName, events } from '@screen-advertising/core';
import { fieldsOf } from '@screen-advertising/page-kit';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { faultKinds } from './fault-kinds.ts';

export function advanceInput(form: URLSearchParams): object {
  return { ms: toNumber('ms', fieldsOf(form).ms) };
}

export function faultInput(form: URLSearchParams): object {
  const { kind: id, calls = '', times } = fieldsOf(form);
  const kind = faultKinds.find((known) => known.id === id);
  if (!kind) throw new ProblemResponseError('invalid-parameter', 'Choose what goes wrong.');
  const [method, path] = calls.split(' ');
  return {
    ...kind.action,
    ...(method && { method }),
    ...(path && { path }),
    ...(times && { times: toNumber('times', times) }),
  };
}

/**
 * The event's filled-in fields, as numbers where the sample has numbers, and any further fields.
 */
export function eventInput(form: URLSearchParams): object {
  const { type = '', access, more, ...rest } = fieldsOf(form);
  const sample: Readonly<Record<string, unknown>> = Object.hasOwn(events, type)
    ? events[type as EventName].sample
    : {};
  const fields = Object.entries(sample).flatMap(([name, example]) => {
    const text = rest[`data.${name}`];
    if (text === undefined) return [];
    return [[name, typeof example === 'number' ? toNumber(name, text) : text]];
  });
  return { type, access, data: { ...Object.fromEntries(fields), ...moreFields(more) } };
}

/** Throws a ProblemResponseError that names the field if the text is not a number. */
function toNumber(name: string, text = '0'): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new ProblemResponseError('invalid-parameter', `${name} must be a number, not ${text}.`);
}

function moreFields(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new ProblemResponseError(
    'malformed-body',
    'More fields must be a JSON object such as {"amount_cents": 5000}.',
  );
}
