import path from 'node:path';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { LeadCouponParams } from '@screen-advertising/core/lead-coupons';
import { startCommand } from '../cli/command.ts';
import { callTool } from '../mcp/support/call.ts';
import { root } from '../structure/project.ts';
import { closeAfterTest } from '../support/closing.ts';
import { eventually } from '../support/eventually.ts';
import { node, startProgram } from '../support/program.ts';
import { environment, faces, onN8n } from './coupon-faces.ts';
import { type CouponService, couponService, type Fate } from './coupon-service.ts';

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

type State = 'none' | 'active' | 'redeemed' | 'revoked' | 'expired';

// Pauses before retries take no time.
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

const codes = ({ sandbox }: CouponService) => sandbox.coupons.list().map(({ code }) => code);

async function end({ sandbox }: CouponService, state: State, code: string): Promise<void> {
  if (state === 'redeemed') sandbox.coupons.redeem(code);
  if (state === 'expired') await sandbox.clock.advance(48 * 60 * 60 * 1000);
  if (state !== 'revoked') return;
  await sandbox.fetch(`http://127.0.0.1/api/v1/coupons/${code}/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.accesses[0].apiKey}` },
  });
}

const before = 'Nothing was created: the lead had this coupon before.';
const active = `${before} Its status is active.`;
const maybe = `${before} It may be over: the service shows no status.`;
const redeemed = `${before} It is over: its status is redeemed. Whether the lead has another coupon is not known.`;
const revoked = `${before} It is over: its status is revoked. Whether the lead has another coupon is not known.`;
const expired = `${before} It is over: its status is expired. Whether the lead has another coupon is not known.`;
const lost =
  'A response was lost, so whether this call created the coupon is not known. Its status is active.';

/** What a lead has, the setting, and what the face says; then the requests and the coupons made. */
const rows: readonly (readonly [
  state: State,
  setting: 'return' | 'create',
  status: 'status' | 'absent',
  code: 1 | 2,
  created: boolean,
  note: string,
  requests: string,
  coupons: 1 | 2,
])[] = [
  ['none', 'return', 'status', 1, true, '', 'POST', 1],
  ['none', 'return', 'absent', 1, true, '', 'POST', 1],
  ['none', 'create', 'status', 1, true, '', 'POST', 1],
  ['none', 'create', 'absent', 1, true, '', 'POST', 1],
  ['active', 'return', 'status', 1, false, active, 'POST, GET 1', 1],
  ['active', 'return', 'absent', 1, false, maybe, 'POST, GET 1', 1],
  ['active', 'create', 'status', 1, false, active, 'POST, GET 1, GET 2', 1],
  ['active', 'create', 'absent', 1, false, maybe, 'POST, GET 1, GET 2, POST, GET 2', 1],
  ['redeemed', 'return', 'status', 1, false, redeemed, 'POST, GET 1', 1],
  ['redeemed', 'return', 'absent', 1, false, maybe, 'POST, GET 1', 1],
  ['redeemed', 'create', 'status', 2, true, '', 'POST, GET 1, GET 2, POST', 2],
  ['redeemed', 'create', 'absent', 2, true, '', 'POST, GET 1, GET 2, POST', 2],
  ['revoked', 'return', 'status', 1, false, revoked, 'POST, GET 1', 1],
  ['revoked', 'return', 'absent', 1, false, maybe, 'POST, GET 1', 1],
  ['revoked', 'create', 'status', 2, true, '', 'POST, GET 1, GET 2, POST', 2],
  ['revoked', 'create', 'absent', 2, true, '', 'POST, GET 1, GET 2, POST', 2],
  ['expired', 'return', 'status', 1, false, expired, 'POST, GET 1', 1],
  ['expired', 'return', 'absent', 1, false, maybe, 'POST, GET 1', 1],
  ['expired', 'create', 'status', 2, true, '', 'POST, GET 1, GET 2, POST', 2],
  ['expired', 'create', 'absent', 2, true, '', 'POST, GET 1, GET 2, POST', 2],
];

describe.each(Object.entries(faces))('%s', (_name, open) => {
  describe.each(Object.entries(keys))('with %s', (_key, [key, first, second]) => {
    const named = (text: string) => text.replaceAll(first, '1').replaceAll(second, '2');

    it.each(rows)(
      'a lead who has %s, with %s and %s: coupon %i, %s',
      async (state, if_lead_had_one, couponState, nth, created, note, requests, count) => {
        const service = await couponService({ variants: { couponState } });
        const face = await open(service, key);
        if (state !== 'none') await face.create({ ...input, valid_until: '2027-03-02' });
        await end(service, state, first);
        service.log.length = 0;
        const code = nth === 1 ? first : second;
        expect(await face.create({ ...input, if_lead_had_one })).toEqual([code, created, note]);
        expect(named(service.log.join(', '))).toBe(requests);
        expect(codes(service)).toEqual([first, second].slice(0, count));
      },
    );

    it.each(['return', 'create'] as const)(
      'a lead who has a coupon from elsewhere, with %s',
      async (if_lead_had_one) => {
        const service = await couponService();
        await (await faces.core(service, key)).create({ ...input, code: 'BY-HAND' });
        service.log.length = 0;
        const face = await open(service, key);
        expect(await face.create({ ...input, if_lead_had_one })).toEqual({
          error: expect.stringMatching(
            /^Create Coupon created nothing: lead@example\.com has an active coupon that was not made with this prefix and key.* Revoke it by its code first\. It was made elsewhere, with another Code Prefix, or before the Coupon Key or, without one, the secret changed\./s,
          ),
        });
        expect(named(service.log.join(', '))).toBe('POST, GET 1');
        expect(codes(service)).toEqual(['BY-HAND']);
      },
    );
  });

  const [key, first] = keys['a Coupon Key'];
  const begin = async () => {
    const service = await couponService();
    return { service, face: await open(service, key) };
  };

  it.each<[string, Partial<LeadCouponParams>]>([
    ['another case', { lead_email: 'LEAD@Example.COM' }],
    ['another expiry', { valid_until: '2027-03-31' }],
    ['the default number of redemptions', { max_redemptions: 1 }],
    ['the defaults of the choices', { without_code: 'lead', if_lead_had_one: 'return' }],
  ])('the request in other words, on another day: %s', async (_what, words) => {
    const { service, face } = await begin();
    await face.create(input);
    await service.sandbox.clock.advance(24 * 60 * 60 * 1000);
    const again = await open(service, key);
    expect(await again.create({ ...input, ...words })).toEqual([first, false, active]);
    expect(codes(service)).toEqual([first]);
  });

  it.each<[string, Partial<LeadCouponParams>, string]>([
    ['a value', { discount_value: 20 }, '10 percent instead of 20 percent'],
    ['redemptions', { max_redemptions: 5 }, '1 redemptions instead of 5'],
  ])('the request with other terms: %s', async (_what, terms, words) => {
    const { service, face } = await begin();
    await face.create(input);
    expect(await face.create({ ...input, ...terms })).toEqual({
      error: expect.stringMatching(
        new RegExp(
          `^Create Coupon created nothing: lead@example\\.com has the coupon ${first} with ${words}\\..* Ask for these terms, revoke it first, or give each campaign its own Code Prefix\\.`,
          's',
        ),
      ),
    });
    expect(codes(service)).toEqual([first]);
  });

  it('an address in other spellings, and one with a tag', async () => {
    const { service, face } = await begin();
    const told = async (lead_email: string) => face.create({ ...input, lead_email });
    expect(await told('müller@exämple.de')).toEqual(['8VTF6PD4F9', true, '']);
    expect(await told('MU\u0308LLER@xn--exmple-cua.de')).toEqual(['8VTF6PD4F9', false, active]);
    expect(await told('müller+1@exämple.de')).toEqual(['Y9D9WVK2WF', true, '']);
    expect(codes(service)).toEqual(['8VTF6PD4F9', 'Y9D9WVK2WF']);
    const [found] = (await face.find({ lead_email: 'müller@EXÄMPLE.de' })) as readonly unknown[];
    expect(found).toBe('8VTF6PD4F9');
  });

  it('two callers at once get one coupon, which one of them created', async () => {
    const { service, face } = await begin();
    const other = await open(service, key);
    const told = await Promise.all([face.create(input), other.create(input)]);
    expect(told.toSorted((one) => (Array.isArray(one) && one[1] ? -1 : 1))).toEqual([
      [first, true, ''],
      [first, false, active],
    ]);
    expect(codes(service)).toEqual([first]);
  });

  it.each<[string, Fate[], boolean | null, string, string]>([
    ['the request is lost', ['lost before'], true, '', 'POST, POST'],
    ['the response is lost', ['lost after'], null, lost, 'POST, POST, GET 1'],
    ['the request arrives late', ['late'], true, '', 'POST, POST'],
    [
      'the read is lost, too',
      ['lost after', 'arrives', 'lost before'],
      null,
      lost,
      'POST, POST, GET 1, GET 1',
    ],
  ])('%s', async (_what, fates, created, note, requests) => {
    const { service, face } = await begin();
    service.fates.push(...fates);
    expect(await face.create(input)).toEqual([first, created, note]);
    expect(service.log.join(', ').replaceAll(first, '1')).toBe(requests);
    expect(codes(service)).toEqual([first]);
  });

  it.each<Fate>(['lost before', 'lost after', 'late'])(
    'every request is %s: the next run has the one coupon',
    async (fate) => {
      const { service, face } = await begin();
      service.fates.push(...Array<Fate>(20).fill(fate));
      expect(await face.create(input)).toEqual({
        error: expect.stringMatching(/got no clear response, so the coupon may exist/),
      });
      service.fates.length = 0;
      const again = await (await open(service, key)).create(input);
      expect(again).toEqual(fate === 'lost after' ? [first, false, active] : [first, true, '']);
      expect(codes(service)).toEqual([first]);
    },
  );

  it('the newest coupon of a lead is found, whatever its state', async () => {
    const { service, face } = await begin();
    const found = 'This is the newest coupon that was made for this lead with this prefix and key.';
    const unknown = 'Whether the service would create another one is not known until you try.';
    await face.create(input);
    service.sandbox.coupons.redeem(first);
    const { lead_email = '' } = input;
    expect(await face.find({ lead_email })).toMatchObject([
      first,
      {},
      `${found} It is over: its status is redeemed. ${unknown}`,
    ]);
  });
});

it('every platform finds the coupon that another one created', async () => {
  const [key, first] = keys['a Coupon Key'];
  const service = await couponService();
  const seen: unknown[] = [];
  for (const name of ['Zapier', 'n8n', 'MCP', 'cli', 'core'] as const) {
    const face = await faces[name](service, key);
    seen.push([name, await face.create(input)]);
  }
  expect(seen).toEqual([
    ['Zapier', [first, true, '']],
    ['n8n', [first, false, active]],
    ['MCP', [first, false, active]],
    ['cli', [first, false, active]],
    ['core', [first, false, active]],
  ]);
  expect(service.log.join(', ')).toBe(`POST${`, POST, GET ${first}`.repeat(4)}`);
  expect(codes(service)).toEqual([first]);
});

describe('a run that is killed after its request arrived', () => {
  const [key, first] = keys['a Coupon Key'];
  const source = ['--conditions=source', '--no-warnings'];

  /** Kills the first run, and lets the second one end. */
  async function runTwice(
    service: CouponService,
    start: () => Promise<{ kill(): unknown; readonly said: Promise<unknown> }>,
  ): Promise<unknown> {
    service.fates.push('silent');
    const killed = await start();
    await eventually(() => codes(service).length > 0, 'the coupon exists');
    killed.kill();
    await killed.said;
    const said = await (await start()).said;
    expect(service.log).toEqual(['POST', 'POST', `GET ${first}`]);
    expect(codes(service)).toEqual([first]);
    return said;
  }

  it.each(['core', 'n8n', 'Zapier'])('%s: the next run has its coupon', async (name) => {
    const service = await couponService();
    const file = path.join(import.meta.dirname, 'coupon-run.ts');
    const env = { ...environment(service, key), FACE: name };
    const said = await runTwice(service, async () => {
      const { kill, ended } = startProgram(node, [...source, file], { env });
      return { kill, said: ended.then(({ output }) => output) };
    });
    expect(JSON.parse(String(said))).toEqual([first, false, active]);
  });

  it('cli: the next run has its coupon', async () => {
    const service = await couponService();
    const options = Object.entries(input).map(([field, value]) => `--${field}=${value}`);
    const said = await runTwice(service, async () => {
      const line = ['call', 'coupon.create', ...options];
      const { kill, ended } = startCommand(line, environment(service, key));
      return { kill, said: ended.then(({ output }) => output) };
    });
    expect(JSON.parse(String(said))).toMatchObject({ code: first, created: false });
  });

  it('MCP: the next server has its coupon', async () => {
    const service = await couponService();
    const main = path.join(root, 'packages/mcp/src/main.ts');
    const said = await runTwice(service, async () => {
      const env = environment(service, key);
      const args = [...source, main];
      const transport = new StdioClientTransport({ command: node, args, env });
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(transport);
      closeAfterTest(() => client.close());
      const kill = () => process.kill(transport.pid ?? Number.NaN, 'SIGKILL');
      return { kill, said: callTool(client, 'create_coupon', input).catch(() => undefined) };
    });
    expect(said).toMatchObject({ record: { code: first, created: false, coupon_note: active } });
  });
});

describe('n8n runs Create Coupon', () => {
  const [key, first] = keys['a Coupon Key'];
  const tool = { type: 'screenAdvertisingTool' } as const;
  const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };

  it.each<[string, ReturnType<typeof onN8n>]>([
    [
      'behind an MCP trigger, without an execution',
      onN8n(tool, { mode: 'trigger', executionId: '' }),
    ],
    ['in a workflow without an execution', onN8n({}, { executionId: '' })],
    ['as a tool that is retried', onN8n({ ...tool, ...retries }, { mode: 'trigger' })],
    ['with Retry On Fail', onN8n(retries)],
  ])('%s: first, again, after a redemption, and another one', async (_where, open) => {
    const service = await couponService();
    const face = await open(service, key);
    expect(await face.create(input)).toEqual([first, true, '']);
    expect(await face.create(input)).toEqual([first, false, active]);
    service.sandbox.coupons.redeem(first);
    expect(await face.create(input)).toEqual([first, false, redeemed]);
    const another: LeadCouponParams = { ...input, if_lead_had_one: 'create' };
    expect(await face.create(another)).toEqual(['MQRHR63QTA', true, '']);
    expect(await face.create(another)).toEqual(['MQRHR63QTA', false, active]);
    expect(codes(service)).toEqual([first, 'MQRHR63QTA']);
  });

  it.each<[string, ReturnType<typeof onN8n>]>([
    ['a node', onN8n(retries)],
    ['a tool', onN8n({ ...tool, ...retries }, { mode: 'trigger' })],
  ])(
    'with Retry On Fail of %s whose requests fail: one coupon, and its code',
    async (_what, open) => {
      const service = await couponService();
      const face = await open(service, key);
      service.fates.push(...Array<Fate>(8).fill('lost after'));
      expect(await face.create(input)).toEqual([first, false, active]);
      expect(codes(service)).toEqual([first]);
    },
  );
});
