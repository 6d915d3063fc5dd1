import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LeadCouponParams } from '@screen-advertising/core/lead-coupons';
import type { Sandbox } from '@screen-advertising/sandbox';
import { start } from '../sandbox/support/running-sandbox.ts';
import { faces, onN8n } from './coupon-faces.ts';

const input: LeadCouponParams = {
  discount_type: 'percent',
  discount_value: 10,
  lead_email: 'lead@example.com',
};

/** The codes of this lead, the first and the second one, with either key. */
const keys = {
  'the secret of the access': ['', 'KD5YB8ZRQL', 'J85KG5E59J'],
  'a Coupon Key': ['a coupon key of a partner', 'WDUKD225ZW', 'MQRHR63QTA'],
} as const;

// Pauses before retries take no time.
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

async function begin() {
  const { baseUrl, full, sandbox } = await start({ screens: 1 });
  return { access: { baseUrl, apiKey: full.apiKey }, sandbox };
}

/** The next requests for coupons lose their connection, before or after the service handles them. */
const lose = ({ faults }: Sandbox, when: 'before' | 'after', times: number) =>
  faults.add({ path: '/coupons/**', fault: 'reset', when, times });

const codes = ({ coupons }: Sandbox) => coupons.list().map(({ code }) => code);

const before = 'Nothing was created: the lead had this coupon before.';
const active = `${before} Its status is active.`;
const redeemed = `${before} It is over: its status is redeemed. Whether the lead has another coupon is not known.`;
const newest =
  'This is the newest coupon that was made for this lead with this prefix and key. Its status is active. Whether the service would create another one is not known until you try.';
const lost =
  'A response was lost, so whether this call created the coupon is not known. Its status is active.';

const tool = { type: 'screenAdvertisingTool' } as const;
const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };

/** n8n runs a node in more ways than one. */
const ways = {
  ...faces,
  'n8n behind an MCP trigger, without an execution': onN8n(tool, {
    mode: 'trigger',
    executionId: '',
  }),
  'n8n without an execution': onN8n({}, { executionId: '' }),
  "n8n's agent, which retries": onN8n({ ...tool, ...retries }, { mode: 'trigger' }),
  'n8n with Retry On Fail': onN8n(retries),
};

/** Which coupon a lead gets is decided, and tested, in shared/coupons. */
describe.each(Object.entries(ways))('%s', (_name, open) => {
  it.each(Object.entries(keys))(
    'with %s: first, again, after a redemption, and another one, which is then found',
    async (_key, [key, first, second]) => {
      const { access, sandbox } = await begin();
      const face = await open(access, key);
      expect(await face.create(input)).toEqual([first, true, '']);
      expect(await face.create(input)).toEqual([first, false, active]);
      sandbox.coupons.redeem(first);
      expect(await face.create(input)).toEqual([first, false, redeemed]);
      const another: LeadCouponParams = { ...input, if_lead_had_one: 'create' };
      expect(await face.create(another)).toEqual([second, true, '']);
      expect(await face.create(another)).toEqual([second, false, active]);
      const [found, , note] = (await face.find({
        lead_email: 'LEAD@Example.COM',
      })) as readonly unknown[];
      expect([found, note]).toEqual([second, newest]);
      expect(codes(sandbox)).toEqual([first, second]);
    },
  );
});

describe.each(Object.entries(faces))('%s', (_name, open) => {
  const [key, first] = keys['a Coupon Key'];

  it('names other terms in its error', async () => {
    const { access } = await begin();
    const face = await open(access, key);
    await face.create(input);
    expect(await face.create({ ...input, discount_value: 20 })).toEqual({
      error: expect.stringMatching(
        new RegExp(
          `^Create Coupon created nothing: lead@example\\.com has the coupon ${first} with 10 percent instead of 20 percent\\.`,
        ),
      ),
    });
  });

  it.each([
    ['after', [null, lost]],
    ['before', [true, '']],
  ] as const)('a connection that breaks %s the request: one coupon', async (when, told) => {
    const { access, sandbox } = await begin();
    const face = await open(access, key);
    lose(sandbox, when, 1);
    expect(await face.create(input)).toEqual([first, ...told]);
    expect(codes(sandbox)).toEqual([first]);
  });
});

it('every platform finds the coupon that another one created', async () => {
  const [key, first] = keys['a Coupon Key'];
  const { access, sandbox } = await begin();
  const seen: unknown[] = [];
  for (const name of ['Zapier', 'n8n', 'MCP', 'cli', 'core'] as const) {
    const face = await faces[name](access, key);
    seen.push([name, await face.create(input)]);
  }
  expect(seen).toEqual([
    ['Zapier', [first, true, '']],
    ['n8n', [first, false, active]],
    ['MCP', [first, false, active]],
    ['cli', [first, false, active]],
    ['core', [first, false, active]],
  ]);
  const requests = sandbox.journal.list().map(({ method, path }) => `${method} ${path}`);
  expect(requests.join(', ')).toBe(
    `POST /coupons${`, POST /coupons, GET /coupons/${first}`.repeat(4)}`,
  );
  expect(codes(sandbox)).toEqual([first]);
});

it.each<[string, ReturnType<typeof onN8n>]>([
  ['a node', onN8n(retries)],
  ['a tool', onN8n({ ...tool, ...retries }, { mode: 'trigger' })],
])('n8n, with Retry On Fail of %s whose requests fail: one coupon', async (_what, open) => {
  const [key, first] = keys['a Coupon Key'];
  const { access, sandbox } = await begin();
  const face = await open(access, key);
  lose(sandbox, 'after', 8);
  expect(await face.create(input)).toEqual([first, false, active]);
  expect(codes(sandbox)).toEqual([first]);
});
