import type { FaultAction } from '../faults/fault-rule.ts';

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

/** What can go wrong, in the words of the people who see it. */
export const faultKinds = kinds.map(([id, label, action]) => ({ id, label, action }));

function status(status: number) {
  return { fault: 'status', status, when: 'before' } as const;
}
