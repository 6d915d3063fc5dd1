import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newCoupon } from './app/actions.ts';
import { type Fault, status, useService } from './app/use-service.ts';
import { readZapierError, type ZapierRunner } from './app/zapier.ts';

const service = useService();

const march = { from: '2027-03-01', to: '2027-03-31' };
const change = { change: 'either', share_pct: 10, ...march };

type Step = readonly [place: string, path: string, inputData: object];

/** Every step by what it asks for, with the path of its request. Those of a group behave alike. */
const groups = {
  // The form fills in what to do if the code exists.
  create: [
    ['creates.create_coupon', '/coupons', { ...newCoupon, code: 'NEW', if_code_exists: 'return' }],
    ['creates.create_coupon', '/coupons', newCoupon],
  ],
  revoke: [['creates.revoke_coupon', '/coupons/*/revoke', { code: 'SPRING-25' }]],
  link: [['creates.create_landing_link', '/landing-links', { utm_campaign: 'spring' }]],
  record: [
    ['searches.find_coupon', '/coupons/*', { code: 'SPRING-25' }],
    ['searches.find_screen', '/screens/*', { screen_id: 'scr_berlin_0001' }],
    [
      'searches.find_screen_availability',
      '/screens/*/availability',
      { screen_id: 'scr_berlin_0001', ...march },
    ],
    ['searches.find_campaign_request', '/campaign-requests/*', { id: 'cr_0001' }],
  ],
  search: [
    ['searches.find_user', '/users/lookup', { email: 'lead@example.com' }],
    ['searches.find_screen', '/screens', { city: 'Berlin' }],
    ['searches.find_screen', '/screens', { near: '52.52, 13.405' }],
    ['searches.find_available_screens', '/screens/**', { ...march, city: 'Berlin' }],
    ['searches.find_campaign_request', '/campaign-requests', { status: 'rejected' }],
  ],
  poll: [
    ['triggers.new_campaign_request', '/campaign-requests', {}],
    ['triggers.campaign_request_status_changed', '/campaign-requests', {}],
    ['triggers.new_screen', '/screens', {}],
    ['triggers.screen_availability_changed', '/screens/**', { ...change, city: 'Berlin' }],
  ],
} as const satisfies Readonly<Record<string, readonly Step[]>>;

type Group = keyof typeof groups;

const page = { body: '<title>Bad gateway</title>', contentType: 'text/html' };
const busy = { 'retry-after': '12' };

/** One of each kind: lib/errors.test.ts has every code, and the core's tests every status. */
const responses: Readonly<Record<string, Fault>> = {
  '400': status(400),
  '400 page': { ...status(400), ...page },
  '401': status(401),
  '403': status(403),
  '404': status(404),
  '404 page': { ...status(404), ...page },
  '409': status(409),
  '429': status(429, busy),
  '500': status(500),
  '503': status(503),
  '503 busy': status(503, busy),
  '302': status(302, { location: 'https://elsewhere.example/' }),
  '200 page': { ...status(200), ...page },
  '200 empty': { fault: 'empty-body' },
  'no answer': { fault: 'reset', when: 'before' },
  'answer lost': { fault: 'reset', when: 'after' },
};

/**
 * What happens in each step:
 *
 * - seen: an ordinary error. Zapier notifies its owner, who can replay the run; with autoreplay,
 *   Zapier does so first, and notifies its owner of the last failure.
 * - later: Zapier runs the step again automatically, after the time that the service asks for.
 * - reconnect: the owner is asked to connect again.
 * - none: a search without a result.
 * - done: it succeeds, because the record was read back, or requested again.
 *
 * No run is halted: a halted one would show it to no one.
 */
const table = `
              create     revoke     link       record     search     poll
400           seen       seen       seen       seen       seen       seen
400 page      seen       seen       seen       seen       seen       seen
401           reconnect  reconnect  reconnect  reconnect  reconnect  reconnect
403           seen       seen       seen       seen       seen       seen
404           seen       seen       seen       none       seen       seen
404 page      seen       seen       seen       seen       seen       seen
409           seen       seen       seen       seen       seen       seen
429           later      later      later      later      later      later
500           seen       seen       seen       seen       seen       seen
503           seen       seen       seen       seen       seen       seen
503 busy      later      later      later      later      later      later
302           seen       seen       seen       seen       seen       seen
200 page      seen       seen       seen       seen       seen       seen
200 empty     done       done       seen       seen       seen       seen
no answer     seen       seen       seen       seen       seen       seen
answer lost   done       done       seen       seen       seen       seen
`;

const [head = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ {2,}/));

const outcomes: Readonly<Record<string, string>> = {
  AppError: 'seen',
  ThrottledError: 'later',
  ExpiredAuthError: 'reconnect',
};

/** The codes that docs/zapier.md explains; the first one is the name of the sandbox. */
const codes = [
  'urn:screen-advertising:problem:fault',
  'service_error',
  'network_error',
  'unexpected_response',
  'outcome_unknown',
];

async function outcomeOf(zapier: ZapierRunner, step: Step, meta: object): Promise<string> {
  const [place, , inputData] = step;
  try {
    const result = await zapier.run(`${place}.operation.perform`, { inputData, meta });
    const records = (result as { results?: unknown }).results ?? result;
    const isEmpty = Array.isArray(records) && records.length === 0;
    return isEmpty && place.startsWith('searches.') ? 'none' : 'done';
  } catch (error) {
    const { name, code } = readZapierError(error);
    if (name === 'AppError') expect(codes).toContain(code);
    return outcomes[name] ?? name;
  }
}

/** The coupons that can be redeemed. */
function activeCoupons(): string[] {
  const active = service()
    .sandbox.coupons.list()
    .filter((coupon) => coupon.revoked_at === null);
  return active.map(({ code, lead_email }) => `${code} ${lead_email}`);
}

async function prepared(): Promise<ZapierRunner> {
  const { sandbox } = service();
  sandbox.reset();
  const zapier = await service().connect();
  await zapier.create('create_coupon', {
    ...newCoupon,
    code: 'SPRING-25',
    lead_email: 'spring@example.com',
  });
  return zapier;
}

// Reads are retried after a random wait.
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

const spring = 'SPRING-25 spring@example.com';

function couponsAfter(group: Group, [, , input]: Step): string[] {
  if (group === 'revoke') return [];
  const code = 'code' in input ? input.code : 'KD5YB8ZRQL';
  return group === 'create' ? [spring, `${code} lead@example.com`] : [spring];
}

describe.each(rows)('a response of %s', (response = '', ...cells) => {
  const fault = responses[response];
  const cases = head.map((group, nth) => [group, cells[nth] ?? ''] as [Group, string]);

  it.each(cases)('ends each step of the kind %s: %s', async (group, expected) => {
    for (const step of groups[group] as readonly Step[]) {
      for (const meta of [{ isLoadingSample: true }, {}]) {
        const zapier = await prepared();
        service().sandbox.faults.add({ ...(fault as Fault), path: step[1] });
        const runs = [await outcomeOf(zapier, step, meta), await outcomeOf(zapier, step, meta)];
        service().sandbox.faults.clear();
        // The replay of its owner, or of Zapier itself, after one that failed in the same way.
        runs.push(await outcomeOf(zapier, step, meta));
        // Only a revoked coupon is over: then there is nothing to do.
        const isOver = group === 'revoke' && (expected === 'done' || response === 'answer lost');
        const after = isOver ? 'HaltedError' : 'done';
        // A lost response hides even that.
        const again = isOver && response !== 'answer lost' ? after : expected;
        expect([step, ...runs]).toEqual([step, expected, again, after]);
        expect([step, activeCoupons()]).toEqual([step, couponsAfter(group, step)]);
      }
    }
  });
});
