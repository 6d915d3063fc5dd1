import type { FaultAction } from '../faults/fault-rule.ts';

interface FaultKind {
  readonly id: string;
  readonly label: string;
  readonly action: FaultAction;
}

/** What can go wrong, in the words of the people who see it. */
export const faultKinds: readonly FaultKind[] = [
  {
    id: 'rate-limited',
    label: 'Rate limit reached: 429, retry in 5 seconds',
    action: { fault: 'status', status: 429, when: 'before', headers: { 'retry-after': '5' } },
  },
  {
    id: 'unavailable',
    label: 'The service is down: 503',
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
    id: 'lost-response',
    label: 'The response is lost: the request goes through, then the connection breaks',
    action: { fault: 'reset', when: 'after' },
  },
  {
    id: 'lost-request',
    label: 'The connection breaks before the request goes through',
    action: { fault: 'reset', when: 'before' },
  },
  { id: 'slow', label: 'The response takes 3 seconds', action: { fault: 'latency', ms: 3_000 } },
  {
    id: 'very-slow',
    label: 'The response takes a minute',
    action: { fault: 'latency', ms: 60_000 },
  },
  {
    id: 'cut-off',
    label: 'The response is cut off in the middle',
    action: { fault: 'truncated-body' },
  },
  { id: 'malformed', label: 'The response is not JSON', action: { fault: 'malformed-json' } },
  { id: 'html', label: 'The response is a web page', action: { fault: 'html-body' } },
  { id: 'empty', label: 'The response is empty', action: { fault: 'empty-body' } },
];
