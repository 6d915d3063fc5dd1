import type { FaultRule } from '@screen-advertising/sandbox';

/** The service's text in the table, where its wording varies. */
const detail = '…';

const status = (code: number, headers = {}): FaultRule => ({
  fault: 'status',
  status: code,
  detail,
  headers,
});

/** What can go wrong with every operation, in the words that readers would look for. */
export const failures: Readonly<Record<string, FaultRule>> = {
  '400': status(400),
  '401': status(401),
  '403': status(403),
  '404': status(404),
  '409': status(409),
  '422': status(422),
  '429': status(429, { 'retry-after': '60' }),
  '500': status(500),
  '503': status(503),
  'response lost': { fault: 'reset', when: 'after' },
  'response unreadable': { fault: 'html-body' },
};
