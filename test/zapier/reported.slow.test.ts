import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newCoupon } from './app/actions.ts';
import { type Fault, status } from './app/fault.ts';
import type { ZapierRunner } from './app/runner.ts';
import { useService } from './app/use-service.ts';
import { readZapierError } from './app/zapier-error.ts';

const service = useService();

const march = { from: '2027-03-01', to: '2027-03-31' };

/** The steps of a Zap, each by what it asks for, with the path of its request. */
const steps = {
  // The form fills in what to do if the code exists.
  create: [
    'creates.create_coupon',
    '/coupons',
    { ...newCoupon, code: 'WELCOME-1', if_code_exists: 'return' },
  ],
  revoke: ['creates.revoke_coupon', '/coupons/*/revoke', { code: 'SPRING-25' }],
  link: ['creates.create_landing_link', '/landing-links', { utm_campaign: 'spring' }],
  coupon: ['searches.find_coupon', '/coupons/*', { code: 'SPRING-25' }],
  user: ['searches.find_user', '/users/lookup', { email: 'lead@example.com' }],
  screens: ['searches.find_screen', '/screens', { city: 'Berlin' }],
  free: ['searches.find_available_screens', '/screens/**', { ...march, city: 'Berlin' }],
  requests: ['searches.find_campaign_request', '/campaign-requests', { status: 'rejected' }],
  'new': ['triggers.new_campaign_request', '/campaign-requests', {}],
} as const satisfies Readonly<
  Record<string, readonly [place: string, path: string, inputData: object]>
>;

type StepName = keyof typeof steps;

const page = { body: '<title>Bad gateway</title>', contentType: 'text/html' };
const busy = { 'retry-after': '12' };

const responses: Readonly<Record<string, Fault>> = {
  '400': status(400),
  '400 page': { ...status(400), ...page },
  '401': status(401),
  '402': status(402),
  '403': status(403),
  '404': status(404),
  '404 page': { ...status(404), ...page },
  '405': status(405),
  '408': status(408),
  '409': status(409),
  '409 page': { ...status(409), ...page },
  '410': status(410),
  '415': status(415),
  '422': status(422),
  '423': status(423),
  '429': status(429, busy),
  '451': status(451),
  '500': status(500),
  '500 page': { ...status(500), ...page },
  '502 page': { ...status(502), ...page },
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
 * - seen: an ordinary error. Zapier notifies its owner, who can replay the run; with autoreplay, Zapier does.
 * - later: Zapier runs the step again automatically, after the time that the service asks for.
 * - reconnect: the owner is asked to connect again.
 * - none: a search without a result.
 * - done: it succeeds, because the record was read back, or requested again.
 *
 * No run is halted: a halted one would show it to no one.
 */
const table = `
              create     revoke     link       coupon     user       screens    free       requests   new
400           seen       seen       seen       seen       seen       seen       seen       seen       seen
400 page      seen       seen       seen       seen       seen       seen       seen       seen       seen
401           reconnect  reconnect  reconnect  reconnect  reconnect  reconnect  reconnect  reconnect  reconnect
402           seen       seen       seen       seen       seen       seen       seen       seen       seen
403           seen       seen       seen       seen       seen       seen       seen       seen       seen
404           seen       seen       seen       none       seen       seen       seen       seen       seen
404 page      seen       seen       seen       seen       seen       seen       seen       seen       seen
405           seen       seen       seen       seen       seen       seen       seen       seen       seen
408           seen       seen       seen       seen       seen       seen       seen       seen       seen
409           seen       seen       seen       seen       seen       seen       seen       seen       seen
409 page      seen       seen       seen       seen       seen       seen       seen       seen       seen
410           seen       seen       seen       seen       seen       seen       seen       seen       seen
415           seen       seen       seen       seen       seen       seen       seen       seen       seen
422           seen       seen       seen       seen       seen       seen       seen       seen       seen
423           seen       seen       seen       seen       seen       seen       seen       seen       seen
429           later      later      later      later      later      later      later      later      later
451           seen       seen       seen       seen       seen       seen       seen       seen       seen
500           seen       seen       seen       seen       seen       seen       seen       seen       seen
500 page      seen       seen       seen       seen       seen       seen       seen       seen       seen
502 page      seen       seen       seen       seen       seen       seen       seen       seen       seen
503           seen       seen       seen       seen       seen       seen       seen       seen       seen
503 busy      later      later      later      later      later      later      later      later      later
302           seen       seen       seen       seen       seen       seen       seen       seen       seen
200 page      seen       seen       seen       seen       seen       seen       seen       seen       seen
200 empty     done       done       seen       seen       seen       seen       seen       seen       seen
no answer     seen       seen       seen       seen       seen       seen       seen       seen       seen
answer lost   done       done       seen       seen       seen       seen       seen       seen       seen
`;

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ {2,}/));
const names = (rows[0] ?? []) as StepName[];

const outcomes: Readonly<Record<string, string>> = {
  AppError: 'seen',
  ThrottledError: 'later',
  ExpiredAuthError: 'reconnect',
};

async function outcomeOf(zapier: ZapierRunner, name: StepName, meta: object): Promise<string> {
  const [place, , inputData] = steps[name];
  try {
    const result = await zapier.run(`${place}.operation.perform`, { inputData, meta });
    const records = (result as { results?: unknown }).results ?? result;
    return Array.isArray(records) && records.length === 0 ? 'none' : 'done';
  } catch (error) {
    const { name: thrown } = readZapierError(error);
    return outcomes[thrown] ?? thrown;
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
afterEach(() => {
  jest.restoreAllMocks();
});

const spring = ['SPRING-25 spring@example.com'];
const couponsAfter: Partial<Record<StepName, readonly string[]>> = {
  create: [...spring, 'WELCOME-1 lead@example.com'],
  revoke: [],
};

describe.each(rows.slice(1))('a response of %s', (response, ...expected) => {
  it.each([
    ['in the editor', { isLoadingSample: true }],
    ['live', {}],
  ])('%s leaves no run without a word, and a replay does what it should', async (_where, meta) => {
    const found: string[] = [];
    for (const name of names) {
      const [, path] = steps[name];
      const zapier = await prepared();
      service().sandbox.faults.add({ ...(responses[String(response)] as Fault), path });
      const outcome = await outcomeOf(zapier, name, meta);
      service().sandbox.faults.clear();
      found.push(outcome);
      // The replay of its owner, or of Zapier itself.
      const replayed = await outcomeOf(zapier, name, meta);
      // Only a revoked coupon is over: then there is nothing to do.
      const isOver = name === 'revoke' && (outcome === 'done' || response === 'answer lost');
      expect([name, replayed]).toEqual([name, isOver ? 'HaltedError' : 'done']);
      expect([name, activeCoupons()]).toEqual([name, couponsAfter[name] ?? spring]);
    }
    expect(found).toEqual(expected);
  });
});
