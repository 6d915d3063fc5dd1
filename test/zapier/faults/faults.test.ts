import { describe, expect, it, jest } from '@jest/globals';
import {
  type Action,
  createCoupon,
  createLandingLink,
  findUser,
  lookups,
  newCoupon,
  revokeCoupon,
} from '../app/actions.ts';
import { type Fault, said, status, unreadable } from '../app/fault.ts';
import { useActions } from '../app/use-service.ts';

const { service, zapier, struck } = useActions();

type Row = [what: string, fault: Fault, actions: readonly Action[], expected: Expected];
type Expected = (action: Action) => unknown;

const fails = (code: number, words: (action: Action) => string): Expected => {
  return (action) => {
    return { name: 'AppError', status: code, message: `${action.label} ${words(action)}` };
  };
};
const halts = (words: string): Expected => {
  return ({ label }) => ({ name: 'HaltedError', message: `${label} ${words}` });
};
const waits = (delay: number | undefined, wait: string): Expected => {
  return ({ label }) => ({
    name: 'ThrottledError',
    ...(delay !== undefined && { delay }),
    message: `${label} reached the rate limit (429). Wait ${wait}: Zapier retries the step automatically.`,
  });
};

// The guide of all messages, which is recorded, has every step under these faults.
const all = [findUser, createCoupon, createLandingLink, revokeCoupon];
const tooMany = { status: 429, title: 'Too many requests', retry_after: 23 };
const taken = `failed because of a conflict (409). ${said}`;
const inactive = `. ${said} Use Find Coupon to check the state of the coupon.`;
const elsewhere =
  'failed: redirects are not followed, to protect credentials (302 to https://elsewhere.example). Check the base URL.';

const rows: readonly Row[] = [
  [
    '503',
    status(503),
    [findUser],
    fails(503, () => {
      return `failed because the service reported an error (503). ${said} Replay the step later.`;
    }),
  ],
  [
    '422',
    status(422),
    [findUser, createCoupon, createLandingLink],
    fails(422, () => `was rejected by the service (422). ${said} Correct the values of this step.`),
  ],
  ['400', status(400), [revokeCoupon], halts(`was rejected by the service (400)${inactive}`)],
  [
    '401',
    status(401),
    all,
    ({ label }) => ({
      name: 'ExpiredAuthError',
      message: `${label} failed because the service did not accept the credentials (401). Check that the credentials are complete, belong to the base URL, and have not been revoked. Then connect again.`,
    }),
  ],
  [
    '403',
    status(403),
    all,
    fails(
      403,
      ({ scope }) =>
        `needs the scope ${scope}, which this access does not have (403). ${said} Ask the Screen Advertising team to grant it.`,
    ),
  ],
  [
    '404',
    status(404),
    all,
    fails(404, (action) => {
      const todo = action === revokeCoupon ? 'Code.' : 'the base URL of the connection.';
      return `failed: not found (404). ${said} Check ${todo}`;
    }),
  ],
  ['404', status(404), lookups, () => []],
  [
    '409',
    status(409),
    [createCoupon],
    halts(`${taken} Use another Code, or revoke the active coupon of the lead first.`),
  ],
  ['409', status(409), [createLandingLink], halts(`${taken} Check the values of this step.`)],
  [
    'a redirect',
    status(302, { location: 'https://elsewhere.example/' }),
    all,
    () => ({ message: expect.stringContaining(elsewhere) }),
  ],
  ['429 with seconds', status(429, { 'retry-after': '17' }), all, waits(17, '17 s')],
  [
    '429 with a problem',
    {
      fault: 'status',
      status: 429,
      body: JSON.stringify(tooMany),
      contentType: 'application/problem+json',
    },
    all,
    waits(23, '23 s'),
  ],
  [
    'a connection that breaks',
    { fault: 'reset' },
    [findUser],
    ({ label }) => ({
      name: 'AppError',
      code: 'network_error',
      message: `${label} failed: The connection to ${new URL(service().baseUrl).host} broke before the response was complete (ECONNRESET). Retry.`,
    }),
  ],
  ...unreadable.map(
    ([what, fault]): Row => [
      `a response that ${what}`,
      fault,
      [findUser],
      () => ({
        name: 'AppError',
        code: 'unexpected_response',
        message: expect.stringContaining(
          'Check that the base URL leads to the service and not to a web page.',
        ),
      }),
    ],
  ),
];

describe.each(rows)('%s', (_what, fault, actions, expected) => {
  it.each(actions.map((action) => [action.name, action] as const))(
    'of %s',
    async (_name, action) => {
      const outcome = await struck(fault, action);
      if (Array.isArray(outcome)) expect(outcome).toEqual(expected(action));
      else expect(outcome).toMatchObject(expected(action) as object);
      await revokeCouponsOf('other@example.com');
    },
  );
});

it('a 429 without a time leaves the delay to Zapier', async () => {
  // The first wait is short, and the second one longer than a run may wait.
  jest.spyOn(Math, 'random').mockReturnValueOnce(0.001).mockReturnValue(0.99);
  expect(await struck(status(429), findUser)).toEqual(waits(undefined, 'a minute')(findUser));
});

it('reads a response, whatever content type the service declares', async () => {
  const fault = { fault: 'content-type', contentType: 'text/plain' } as const;
  expect(await struck(fault, createCoupon)).toMatchObject({ status: 'active' });
  await revokeCouponsOf('other@example.com');
});

it('Revoke Coupon can be replayed when the response is lost and the coupon cannot be read back', async () => {
  const coupon = { ...newCoupon, lead_email: 'third@example.com' };
  const { code } = await zapier().create('create_coupon', coupon);
  const run = () => zapier().create('revoke_coupon', { code });
  expect(await struck({ fault: 'reset' }, { ...revokeCoupon, run })).toMatchObject({
    name: 'AppError',
    code: 'outcome_unknown',
    message: expect.stringContaining(
      `so the coupon ${code} may be revoked. Get the coupon to check its status, or revoke it again: both are safe.`,
    ),
  });
  await revokeCouponsOf('third@example.com');
});

/** Removes what a fault left behind, which would be in the way of the next one. */
async function revokeCouponsOf(email: string): Promise<void> {
  for (const [, coupon] of service().sandbox.snapshot().data.coupons) {
    const isInTheWay = coupon.lead_email === email && coupon.revoked_at === null;
    if (isInTheWay) await zapier().create('revoke_coupon', { code: coupon.code });
  }
}
