import { type EventName, events } from '@screen-advertising/core';
import { inputIssuesOf, readJsonObject, readSetting } from '@screen-advertising/core/forms';
import { formValues } from '@screen-advertising/server-kit/pages';
import type { FaultAction } from '../faults/faults.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import type { AdminCommandName } from './commands.ts';

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
    read: (form) => ({ ms: toNumber('ms', formValues(form).ms) }),
  },
  'freeze-clock': { done: 'Clock frozen.' },
  'run-clock': { done: 'Clock running.' },
  'rotate-client-secret': {
    done: 'Client secret rotated. The old one no longer works; access tokens work until they expire.',
  },
  'add-webhook': { done: 'Webhook address registered.' },
  'remove-webhook': { done: 'Webhook address removed.' },
  redeliver: { done: 'Delivery sent again.' },
  'redeem-coupon': { done: 'Coupon redeemed once.' },
  'add-fault': { done: 'Fault switched on.', read: faultInput },
  'remove-fault': { done: 'Fault switched off.' },
  'clear-faults': { done: 'All faults switched off.' },
  'clear-journal': { done: 'Journal cleared.' },
  reset: { done: 'Sandbox reset to its initial data. The clock keeps its time.' },
} satisfies Partial<Record<AdminCommandName, Action>>;

export type ActionName = keyof typeof actions;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}

export function actionOf(name: ActionName): Required<Action> {
  return { read: formValues, ...actions[name] };
}

function faultInput(form: URLSearchParams): object {
  const { kind: id, calls = '', times } = formValues(form);
  const kind = faultChoices.find((known) => known.id === id);
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
function eventInput(form: URLSearchParams): object {
  const { type = '', access, more, ...rest } = formValues(form);
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

function toNumber(name: string, text: string | undefined): number {
  return Number(orProblem(() => readSetting('', { name, title: name, type: 'number' }, text, 0)));
}

function moreFields(text: string | undefined): object {
  return orProblem(() => readJsonObject('', 'More fields', text, '{"amount_cents": 5000}'));
}

/** Throws a ProblemResponseError that names the field. */
function orProblem<Value>(read: () => Value): Value {
  const [fault] = inputIssuesOf(read);
  if (fault === undefined) return read();
  throw new ProblemResponseError('invalid-parameter', `${fault.field} ${fault.message}.`);
}

const kinds: readonly (readonly [id: string, label: string, action: FaultAction])[] = [
  [
    'rate-limited',
    'Rate limit: 429, retry in 5 seconds',
    { ...status(429), headers: { 'retry-after': '5' } },
  ],
  ['unavailable', 'The service is down: 503', status(503)],
  ['failed', 'The service fails: 500', status(500)],
  ['unauthorized', 'The token is refused: 401', status(401)],
  [
    'lost-response',
    'The response is lost: the request goes through, then the connection breaks',
    { fault: 'reset', when: 'after' },
  ],
  [
    'lost-request',
    'The connection breaks before the request goes through',
    { fault: 'reset', when: 'before' },
  ],
  ['slow', 'The response takes 3 seconds', { fault: 'latency', ms: 3_000 }],
  ['very-slow', 'The response takes a minute', { fault: 'latency', ms: 60_000 }],
  ['cut-off', 'The response is cut off in the middle', { fault: 'truncated-body' }],
  ['malformed', 'The response is not JSON', { fault: 'malformed-json' }],
  ['html', 'The response is a web page', { fault: 'html-body' }],
  ['empty', 'The response is empty', { fault: 'empty-body' }],
];

/** The faults that the page offers, in the words of the people who see them. */
export const faultChoices = kinds.map(([id, label, action]) => ({ id, label, action }));

function status(status: number) {
  return { fault: 'status', status, when: 'before' } as const;
}
