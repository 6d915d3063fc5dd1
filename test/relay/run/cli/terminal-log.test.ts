import { expect, it } from '@jest/globals';
import { createLog, logObserver } from '../../../../packages/relay/src/operate/log.ts';
import { terminalLine } from '../../../../packages/relay/src/run/cli/serve.ts';

const attempt = {
  delivery: 'dlv_1_1',
  type: 'campaign.paid',
  to: 'Coupons (n8n 0123456789abcdef)',
  attempt: 1,
  status: 200,
  error: null,
  durationMs: 45,
  state: 'delivered',
  reason: null,
} as const;

it('on a terminal, each event and each attempt is a line for people', () => {
  const lines: string[] = [];
  const log = createLog('debug', (json) => lines.push(terminalLine(json)));
  const observer = logObserver(log);
  const arrived = { source: 'main', type: 'campaign.paid', durationMs: 3.2 };
  observer.ingested({ ...arrived, result: 'stored' });
  observer.ingested({ ...arrived, result: 'duplicate' });
  observer.ingested({ result: 'forged', source: 'main', durationMs: 1 });
  observer.ingested({ result: 'unknown_source', durationMs: 1 });
  observer.attempted(attempt);
  observer.attempted({ ...attempt, state: 'ignored', reason: 'duplicate' });
  const failed = { ...attempt, to: 'hooks.example.com', status: 500 };
  observer.attempted({ ...failed, state: 'pending', error: 'responded with status 500' });
  const error = 'ECONNREFUSED\u001b[31m';
  observer.attempted({ ...failed, state: 'dead', status: null, error, attempt: 11 });
  observer.failed(new Error('The database ended the connection.'));
  log.info({ url: 'http://127.0.0.1:8788', role: 'all' }, 'Listening');
  log.info({}, 'Stopped');
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, ''))).toEqual([
    'Event received          campaign.paid             at main: stored, 3 ms\n',
    'Event received          campaign.paid             at main: duplicate, 3 ms\n',
    'warn: Event rejected    at main: forged, 1 ms\n',
    'warn: Event rejected    unknown_source, 1 ms\n',
    'Delivered               campaign.paid             to Coupons (n8n)  200, 45 ms\n',
    'Ignored by the target   campaign.paid             to Coupons (n8n)  200, duplicate, 45 ms\n',
    'Attempt failed          campaign.paid             to hooks.example.com  responded with status 500, 45 ms\n',
    'warn: Delivery is dead  campaign.paid             to hooks.example.com  ECONNREFUSED\\u001b[31m, 45 ms, attempt 11\n',
    'error: The database ended the connection.\n',
    'Listening               http://127.0.0.1:8788\n',
    'Stopped\n',
  ]);
});
