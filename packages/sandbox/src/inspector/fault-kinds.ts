import type { FaultAction } from '../faults/fault-rule.ts';

interface FaultKind {
  readonly id: string;
  readonly label: string;
  readonly action: FaultAction;
}

/** What can go wrong, in the words of people who will meet it. */
export const faultKinds: readonly FaultKind[] = [
  {
    id: 'rate-limited',
    label: 'Too many requests: 429, try again in 5 seconds',
    action: { fault: 'status', status: 429, when: 'before', headers: { 'retry-after': '5' } },
  },
  {
    id: 'unavailable',
    label: 'The service is out of order: 503',
    action: { fault: 'status', status: 503, when: 'before' },
  },
  {
    id: 'failed',
    label: 'The service fails: 500',
    action: { fault: 'status', status: 500, when: 'before' },
  },
  {
    id: 'unauthorized',
    label: 'The token is refused: 401',
    action: { fault: 'status', status: 401, when: 'before' },
  },
  {
    id: 'lost-answer',
    label: 'The answer is lost: the call is carried out, then the connection breaks',
    action: { fault: 'reset', when: 'after' },
  },
  {
    id: 'lost-request',
    label: 'The connection breaks before the call is carried out',
    action: { fault: 'reset', when: 'before' },
  },
  { id: 'slow', label: 'The answer takes 3 seconds', action: { fault: 'latency', ms: 3_000 } },
  {
    id: 'very-slow',
    label: 'The answer takes a minute',
    action: { fault: 'latency', ms: 60_000 },
  },
  {
    id: 'cut-off',
    label: 'The answer is cut off in the middle',
    action: { fault: 'truncated-body' },
  },
  { id: 'malformed', label: 'The answer is no JSON', action: { fault: 'malformed-json' } },
  { id: 'html', label: 'The answer is a web page', action: { fault: 'html-body' } },
  { id: 'empty', label: 'The answer is empty', action: { fault: 'empty-body' } },
];
