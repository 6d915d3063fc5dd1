import { expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import {
  createCoupon,
  createLandingLink,
  findUser,
  revokeCoupon,
  useActions,
} from './app/actions.ts';
import { status } from './app/use-service.ts';
import type { ZapierRunner } from './app/zapier.ts';

const { service, struck } = useActions();

const page = { body: '<title>No</title>', contentType: 'text/html' };
const untyped = { body: '{"title":"Taken","status":409}', contentType: 'application/problem+json' };
const busy = { 'retry-after': '12' };
const fails = ['Fails the run', 'You'] as const;
const urn = 'urn:screen-advertising:problem:fault';

const create = (fields: object) => ({
  ...createCoupon,
  run: (runner: ZapierRunner) => runner.create('create_coupon', { ...fields }),
});

const findCoupon = {
  name: 'Find Coupon',
  run: (runner: ZapierRunner) => runner.search('find_coupon', { code: 'NONE' }),
};

/** A delivery that a stranger sent to the address of a trigger. */
const unsigned = {
  ...findUser,
  run: async () => {
    const runner = await service().connect({ fields: { signing_secret: 'whsec_current' } });
    return runner.hook('coupon_redeemed_manual_setup', { headers: {}, content: '{}' });
  },
};

const revokedTwice = {
  ...revokeCoupon,
  run: async (runner: ZapierRunner) => {
    await revokeCoupon.run(runner);
    return revokeCoupon.run(runner);
  },
};

const none = { fault: 'latency', ms: 0 } as const;
const lost = { fault: 'reset', when: 'after' } as const;

/** The table of the guide, and what Zapier is thrown in each of its rows. */
const rows = [
  [['`invalid_input`', ...fails], [[none, create({}), 'AppError invalid_input']]],
  [
    ["The service's own name, or `conflict` and the like", ...fails],
    [
      [{ ...status(409), ...untyped }, createCoupon, 'AppError conflict'],
      [status(422), createLandingLink, `AppError ${urn}`],
      [status(422), findCoupon, `AppError ${urn}`],
    ],
  ],
  [
    ['`service_error`, `network_error`, `timeout`, `unexpected_response`', ...fails],
    [
      [{ ...status(502), ...page }, findUser, 'AppError service_error'],
      [lost, findUser, 'AppError network_error'],
      [{ ...status(200), ...page }, findUser, 'AppError unexpected_response'],
      [{ ...status(404), ...page }, findCoupon, 'AppError unexpected_response'],
    ],
  ],
  [
    ['`outcome_unknown`', ...fails],
    [
      [status(500), createCoupon, 'AppError outcome_unknown'],
      [lost, createLandingLink, 'AppError outcome_unknown'],
    ],
  ],
  [
    ['Throttled', 'Runs the step again then', 'No one'],
    [
      [status(429, busy), createCoupon, 'ThrottledError'],
      [status(503, busy), findUser, 'ThrottledError'],
    ],
  ],
  [['Expired', 'Asks you to reconnect', 'You'], [[status(401), findUser, 'ExpiredAuthError']]],
  [
    ['Halted', 'Ends the run', 'No one: the history shows it'],
    [[none, revokedTwice, 'HaltedError']],
  ],
  [['Halted', 'Ends the run', 'No one: the history shows it'], [[none, unsigned, 'HaltedError']]],
  [
    [
      'None',
      'Continues, creates, or stops, as you set it',
      'No one: the form names a filter that no record has',
    ],
    [[status(404), findCoupon, '[]']],
  ],
] as const;

/** The cells of the guide's table, without its second column. */
function tableOfGuide(): string[][] {
  const [, section = ''] = read('docs/zapier.md').split('## If a step fails');
  return [...section.matchAll(/^\| (.+) \|$/gm)].slice(1).flatMap(([, line = '']) => {
    const [error = '', , ...rest] = line.split(' | ');
    return error.startsWith('---') ? [] : [[error, ...rest]];
  });
}

it('the guide says who is notified of each failure', () => {
  expect(tableOfGuide()).toEqual(rows.map(([cells]) => cells));
});

it.each(
  rows.flatMap(([[error], cases]) =>
    cases.map(([fault, action, thrown]) => ({ error, fault, action, thrown })),
  ),
)('$error: $action.name ends with $thrown', async ({ fault, action, thrown }) => {
  const result = await struck(fault, action);
  const { name, code = '' } = (result ?? {}) as { name?: string; code?: string };
  expect(Array.isArray(result) ? JSON.stringify(result) : `${name} ${code}`.trim()).toBe(thrown);
});
