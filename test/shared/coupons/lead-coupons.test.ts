import { describe, expect, it } from '@jest/globals';
import { ScreenAdvertisingError } from '@screen-advertising/core';
import {
  type LeadCouponParams,
  leadCouponOperations,
  withLeadCoupons,
} from '@screen-advertising/core/lead-coupons';
import { type Fate, type ModelCoupon, ModelService } from './model-service.ts';

const key = 'a coupon key of a partner';
const wanted = {
  discount_type: 'percent',
  discount_value: 10,
  lead_email: 'lead@example.com',
} as const;
const [first, second] = ['WDUKD225ZW', 'MQRHR63QTA'];

interface Settings {
  readonly fates?: readonly Fate[];
  readonly attempts?: number;
  readonly key?: string;
}

const clientOf = (service: ModelService, { attempts, key: own = key }: Settings = {}) =>
  withLeadCoupons(service.client(attempts), own);

function ownError(error: unknown): ScreenAdvertisingError {
  if (ScreenAdvertisingError.isInstance(error)) return error;
  throw error;
}

/** One call, what it says, and its requests. */
async function create(
  service: ModelService,
  input: Partial<LeadCouponParams> = {},
  settings: Settings = {},
) {
  const left = [...(settings.fates ?? [])];
  service.fate = () => left.shift() ?? 'arrives';
  service.log.length = 0;
  const result = await clientOf(service, settings)
    .call(leadCouponOperations.create, { ...wanted, ...input })
    .catch(ownError);
  const told = ScreenAdvertisingError.isInstance(result)
    ? [result.code, result.message]
    : [result.code, result.created, result.coupon_note ?? ''];
  const requests = service.log.map((line) =>
    line
      .replace(/ arrives$/, '')
      .replaceAll('/coupons', '')
      .replace(/ +\/?/g, ' ')
      .trim(),
  );
  return [...told, requests.join(', ')];
}

const made = ({ coupons }: ModelService) => coupons.map(({ code }) => code);

/** A service whose lead has a coupon in this state. */
async function serviceWith(state: ModelCoupon['state'] | 'none', showsStatus: boolean) {
  const service = new ModelService({ showsStatus });
  if (state === 'none') return service;
  await create(service);
  for (const coupon of service.coupons) coupon.state = state;
  return service;
}

const before = 'Nothing was created: the lead had this coupon before.';
const active = `${before} Its status is active.`;
const over = (status: string) =>
  `${before} It is over: its status is ${status}. Whether the lead has another coupon is not known.`;
const maybeOver = `${before} It may be over: the service shows no status.`;

const [sent, read1, read2] = ['POST', `GET ${first}`, `GET ${second}`];
const twice = `${sent}, ${read1}`;
const another = `${twice}, ${read2}, ${sent}`;
const refused = `${another}, ${read2}`;

describe('the coupon of a lead', () => {
  it.each([
    ['none', 'return', true, first, true, '', sent, 1],
    ['none', 'create', false, first, true, '', sent, 1],
    ['active', 'return', true, first, false, active, twice, 1],
    ['active', 'return', false, first, false, maybeOver, twice, 1],
    ['active', 'create', true, first, false, active, `${twice}, ${read2}`, 1],
    ['active', 'create', false, first, false, maybeOver, refused, 1],
    ['redeemed', 'return', true, first, false, over('redeemed'), twice, 1],
    ['redeemed', 'return', false, first, false, maybeOver, twice, 1],
    ['redeemed', 'create', true, second, true, '', another, 2],
    ['redeemed', 'create', false, second, true, '', another, 2],
    ['revoked', 'return', true, first, false, over('revoked'), twice, 1],
    ['revoked', 'return', false, first, false, maybeOver, twice, 1],
    ['revoked', 'create', true, second, true, '', another, 2],
    ['revoked', 'create', false, second, true, '', another, 2],
    ['expired', 'return', true, first, false, over('expired'), twice, 1],
    ['expired', 'return', false, first, false, maybeOver, twice, 1],
    ['expired', 'create', true, second, true, '', another, 2],
    ['expired', 'create', false, second, true, '', another, 2],
  ] as const)(
    'that is %s, with %s, and a status shown: %s',
    async (state, if_lead_had_one, showsStatus, code, created, note, requests, count) => {
      const service = await serviceWith(state, showsStatus);
      expect(await create(service, { if_lead_had_one })).toEqual([code, created, note, requests]);
      expect(made(service)).toHaveLength(count);
    },
  );

  it.each(['return', 'create'] as const)(
    'that was made by hand is a conflict, with %s',
    async (if_lead_had_one) => {
      const service = new ModelService();
      const terms = { ...wanted, max_redemptions: 1, state: 'active' } as const;
      service.coupons.push({ ...terms, code: 'BY-HAND' });
      expect(await create(service, { if_lead_had_one })).toEqual([
        'conflict',
        'Create Coupon created nothing: lead@example.com has an active coupon that was not made with this prefix and key. The service says: "the lead has an active coupon". Revoke it by its code first. It was made elsewhere, with another Code Prefix, or before the Coupon Key or, without one, the secret changed.',
        twice,
      ]);
    },
  );

  it.each([
    ['percent', { discount_value: 20 }, '10 percent instead of 20 percent'],
    [
      'cents',
      { discount_type: 'amount_cents', discount_value: 2000 },
      '10 percent instead of 2000 cents',
    ],
    [
      'days',
      { discount_type: 'free_days', discount_value: 3, max_redemptions: 2 },
      '10 percent instead of 3 free days and 1 redemptions instead of 2',
    ],
  ] as const)('with other terms, in %s, is a conflict that names them', async (_, terms, words) => {
    const service = await serviceWith('active', true);
    expect(await create(service, terms)).toEqual([
      'conflict',
      `Create Coupon created nothing: lead@example.com has the coupon ${first} with ${words}. The service says: "${first} is taken". Ask for these terms, revoke it first, or give each campaign its own Code Prefix.`,
      twice,
    ]);
    for (const coupon of service.coupons) coupon.state = 'redeemed';
    expect((await create(service, terms))[1]).toContain(`${first} (redeemed) with ${words}.`);
    expect((await create(service, { ...terms, if_lead_had_one: 'create' }))[0]).toBe(second);
  });

  it.each([
    ['another case', { lead_email: 'LEAD@Example.COM' }],
    ['another expiry', { valid_until: '2027-03-31' }],
    ['metadata', { lead_metadata: { try: 2 } }],
    ['the default number of redemptions', { max_redemptions: 1 }],
  ])('is found again with %s', async (_what, input) => {
    const service = await serviceWith('active', true);
    expect(await create(service, input)).toEqual([first, false, active, twice]);
  });

  it('is another one for a tag, a prefix and a key', async () => {
    const service = await serviceWith('redeemed', true);
    await create(service, { lead_email: 'lead+1@example.com' });
    await create(service, { code_prefix: 'SPRING-' });
    for (const coupon of service.coupons) coupon.state = 'redeemed';
    await create(service, {}, { key: 'another key of a partner' });
    expect(made(service)).toEqual([first, 'PXZ7SP8BS4', 'SPRING-ST27P556D3', 'N8H46TNSYP']);
  });

  /** As many characters as SMTP can carry. */
  const long = `${'l'.repeat(64)}@${`${'d'.repeat(60)}.`.repeat(3)}ab.com`;

  it.each([
    [
      'exämple.de',
      '79HSEFURCS',
      ['lead@exämple.de', 'lead@EXÄMPLE.de', 'lead@exa\u0308mple.de', 'lead@xn--exmple-cua.de'],
    ],
    [
      'müller',
      '8VTF6PD4F9',
      ['müller@exämple.de', 'MÜLLER@exämple.de', 'mu\u0308ller@xn--exmple-cua.de'],
    ],
    ['straße', 'M6SPLACY29', ['lead@straße.example', 'lead@xn--strae-oqa.example']],
    ['another script', 'EUZUYZC59W', ['リード@例え.テスト', 'リード@xn--r8jz45g.xn--zckzah']],
    ['254 characters', 'WWD9KX6D2U', [long, long.toUpperCase()]],
  ])('of an address with %s is one, however it is spelled', async (_what, code, spellings) => {
    expect(long).toHaveLength(254);
    const service = new ModelService();
    const seen = [];
    for (const lead_email of spellings) seen.push((await create(service, { lead_email }))[0]);
    expect(seen).toEqual(spellings.map(() => code));
    // The address is sent as given: the service may know the lead by that spelling.
    expect(service.coupons.map((coupon) => coupon.lead_email)).toEqual([spellings[0]]);
    for (const lead_email of spellings) {
      const found = await clientOf(service).call(leadCouponOperations.get, { lead_email });
      expect(found.code).toBe(code);
    }
  });

  it.each([
    ['a tag', 'lead@exämple.de', 'lead+1@exämple.de'],
    ['a local part', 'müller@example.de', 'mueller@example.de'],
    ['a sharp s', 'lead@straße.example', 'lead@strasse.example'],
    ['the end of a long address', long, `${long.slice(0, -1)}x`],
    ['what follows a domain', 'lead@ä.example/1', 'lead@ä.example/2'],
    ['no valid domain', 'lead@xn--ä.example', 'lead@xn--ö.example'],
  ])('is another one for %s', async (_what, one, other) => {
    const service = new ModelService();
    const seen = [];
    for (const lead_email of [one, other]) seen.push((await create(service, { lead_email }))[1]);
    expect(seen).toEqual([true, true]);
    expect(new Set(made(service)).size).toBe(2);
  });

  it('is recognized where the service shows nothing but its code, or values as texts', async () => {
    const service = await serviceWith('active', false);
    for (const shown of [{}, { discount_value: '10.00', max_redemptions: '1' }]) {
      service.shown = () => shown;
      expect(await create(service)).toEqual([first, false, maybeOver, twice]);
    }
  });
});

const lost = 'A response was lost, so whether this call created the coupon is not known.';
const mayExist =
  /^Create Coupon got no clear response, so the coupon may exist\. Retrying is safe: it finds the coupon by its lead, or creates it\. Cause: /;

describe('a lost response', () => {
  it.each<[string, readonly Fate[], number, unknown[]]>([
    ['before', ['lost before'], 3, [first, true, '', 'POST lost before, POST']],
    [
      'after',
      ['lost after'],
      3,
      [first, null, `${lost} Its status is active.`, `POST lost after, ${twice}`],
    ],
    [
      'after, with one attempt',
      ['503 after'],
      1,
      [first, null, `${lost} Its status is active.`, `POST 503 after, ${read1}`],
    ],
    [
      'before, with one attempt',
      ['lost before'],
      1,
      ['outcome_unknown', expect.stringMatching(mayExist), `POST lost before, ${read1}`],
    ],
    [
      'late',
      ['late'],
      1,
      ['outcome_unknown', expect.stringMatching(mayExist), `POST late, ${read1}`],
    ],
    [
      'after, and of the read',
      ['lost after', 'lost before'],
      1,
      ['outcome_unknown', expect.stringMatching(mayExist), `POST lost after, ${read1} lost before`],
    ],
  ])('%s: one coupon, and the next call has it', async (_when, fates, attempts, expected) => {
    const service = new ModelService();
    expect(await create(service, {}, { fates, attempts })).toEqual(expected);
    expect((await create(service))[0]).toBe(first);
    expect(made(service)).toEqual([first]);
  });

  it('of another one is read back, too', async () => {
    const service = await serviceWith('redeemed', true);
    const input = { if_lead_had_one: 'create' } as const;
    const fates: Fate[] = ['arrives', 'arrives', 'arrives', '503 after'];
    expect(await create(service, input, { fates, attempts: 1 })).toEqual([
      second,
      null,
      `${lost} Its status is active.`,
      `${twice}, ${read2}, POST 503 after, ${read2}`,
    ]);
    expect((await create(service, input)).slice(0, 2)).toEqual([second, false]);
    expect(made(service)).toEqual([first, second]);
  });

  it('of a read after a conflict is an error that may be retried', async () => {
    const service = await serviceWith('active', true);
    const fates: Fate[] = ['arrives', '503 before'];
    const [code, message] = await create(service, {}, { fates, attempts: 1 });
    expect([code, message]).toEqual([
      'service_error',
      'Get Coupon failed: the service reported an error (503). The service says: "status 503". Retry in a few minutes.',
    ]);
  });
});

describe('a code that the service refuses', () => {
  const refusing = async (status: number, detail: string, input?: Partial<LeadCouponParams>) => {
    const service = new ModelService();
    service.refuses = { status, detail };
    return create(service, input);
  };

  it.each([
    [
      400,
      'code must have at most 8 characters',
      [
        'invalid_request',
        'Create Coupon failed: the service rejected the code WDUKD225ZW (400). The service says: "code must have at most 8 characters". Choose Let the Service Choose under Without a Code, or a shorter Code Prefix.',
        'POST',
      ],
    ],
    [
      400,
      'discount_value is too low',
      [
        'invalid_request',
        expect.stringMatching(/^Create Coupon failed: the service rejected the request \(400\)/),
        'POST',
      ],
    ],
    [
      409,
      'Conflict.',
      [
        'conflict',
        'Create Coupon created nothing: lead@example.com has no coupon that was made with this prefix and key. The service says: "Conflict." An active coupon may have been made elsewhere, with another Code Prefix, or before the Coupon Key or, without one, the secret changed: revoke it by its code first. Or the code is taken: choose another Code Prefix.',
        'POST, GET WDUKD225ZW',
      ],
    ],
    [
      409,
      'This code {code} exists.',
      [
        'conflict',
        'Create Coupon created nothing: lead@example.com has no coupon, but its code is taken. The service says: "This code WDUKD225ZW exists." Another access may use the same Coupon Key: choose another Code Prefix.',
        'POST, GET WDUKD225ZW',
      ],
    ],
  ])('with %i and %s', async (status, detail, expected) => {
    expect(await refusing(status, detail)).toEqual(expected);
  });

  it('belongs to someone else, whatever words its prefix has', async () => {
    const input = { code_prefix: 'ACTIVE-LEAD-' };
    const [, message] = await refusing(409, 'The code {code} is taken.', input);
    expect(message).toMatch(/ has no coupon, but its code is taken\. /);
  });
});

it.each([
  ['none', 'return', first],
  ['redeemed', 'create', second],
] as const)(
  'two callers at once, whose lead has %s, with %s, get one coupon',
  async (state, if_lead_had_one, code) => {
    const service = await serviceWith(state, true);
    const input = { ...wanted, if_lead_had_one };
    const results = await Promise.all(
      [1, 2].map(() => clientOf(service).call(leadCouponOperations.create, input)),
    );
    expect(results.map((one) => [one.code, one.created])).toEqual([
      [code, true],
      [code, false],
    ]);
    expect(made(service).at(-1)).toBe(code);
  },
);

describe('without a code of the lead', () => {
  it('a code of the caller is theirs: it conflicts, or comes back where they asked for it', async () => {
    const service = new ModelService();
    expect(await create(service, { code: 'OWN' })).toEqual(['OWN', true, '', sent]);
    expect((await create(service, { code: 'OWN' }))[0]).toBe('conflict');
    const input = { code: 'OWN', if_code_exists: 'return' } as const;
    expect(await create(service, input)).toEqual(['OWN', false, active, 'POST, GET OWN']);
    expect((await create(service, { ...input, discount_value: 20 }))[0]).toBe('conflict');
    const fates: Fate[] = ['lost after'];
    const other = { code: 'LOST', lead_email: 'other@example.com' };
    expect(await create(service, other, { fates })).toEqual([
      'LOST',
      null,
      `${lost} Its status is active.`,
      'POST lost after, POST, GET LOST',
    ]);
  });

  it.each([
    [
      { code: 'OWN' },
      'The code is taken.',
      'the code OWN exists',
      'Choose another code, or Return It under If the Code Exists for the same lead and discount.',
    ],
    [
      { code: 'OWN', if_code_exists: 'return' },
      'The code is taken.',
      'the code OWN exists',
      'Choose another code: the coupon that has it is over, or of another lead or discount.',
    ],
    [
      { without_code: 'service' },
      'Conflict.',
      'lead@example.com has an active coupon',
      'Get the coupon by its lead or code, or revoke it first.',
    ],
    [
      { code: 'OWN' },
      'Conflict.',
      'the code OWN exists, or lead@example.com has an active coupon',
      'Choose another code, or Return It under If the Code Exists for the same lead and discount. Get the coupon by its lead or code, or revoke it first.',
    ],
  ] as const)('%j, which the service refuses with "%s"', async (input, detail, why, remedy) => {
    const service = new ModelService();
    service.refuses = { status: 409, detail };
    expect((await create(service, input)).slice(0, 2)).toEqual([
      'conflict',
      `Create Coupon created nothing: ${why}. The service says: "${detail}" ${remedy}`,
    ]);
  });

  it('the service chooses where the caller says so', async () => {
    const service = new ModelService();
    expect((await create(service, { without_code: 'service' }))[0]).toBe('BVCC-1');
    expect((await create(service, { without_code: 'service' }))[0]).toBe('conflict');
  });

  it.each([
    [{ code: 'A', code_prefix: 'B' }, 'code_prefix cannot be set beside code'],
    [{ code: 'A', without_code: 'service' }, 'without_code cannot be set beside code'],
    [{ code: 'A', if_lead_had_one: 'create' }, 'if_lead_had_one cannot be set beside code'],
    [
      { without_code: 'service', code_prefix: 'A' },
      'code_prefix cannot be set if the service chooses the code',
    ],
    [{ code_prefix: 'A B' }, 'code_prefix must have no spaces, such as SPRING-, not "A B"'],
  ] as [Partial<LeadCouponParams>, string][])(
    '%j is refused, and nothing is sent',
    async (input, words) => {
      const service = new ModelService();
      expect(await create(service, input)).toEqual([
        'invalid_input',
        `Create Coupon was not sent: ${words}.`,
        '',
      ]);
    },
  );
});

describe('Get Coupon by the lead', () => {
  const find = async (service: ModelService, code_prefix?: string) => {
    service.log.length = 0;
    const input = { lead_email: 'LEAD@example.com', ...(code_prefix && { code_prefix }) };
    const result = await clientOf(service).call(leadCouponOperations.get, input).catch(ownError);
    return ScreenAdvertisingError.isInstance(result)
      ? [result.code, result.message]
      : [result.code, result.coupon_note, service.log.length];
  };
  const found = 'This is the newest coupon that was made for this lead with this prefix and key.';
  const unknown = 'Whether the service would create another one is not known until you try.';

  it.each([404, 400])('finds the newest one, where unknown codes are a %i', async (status) => {
    const service = new ModelService();
    service.unknownStatus = status;
    const seen = [];
    for (const state of ['redeemed', 'revoked', 'expired', 'redeemed', 'active'] as const) {
      const [code] = await create(service, { if_lead_had_one: 'create' });
      for (const coupon of service.coupons) if (coupon.code === code) coupon.state = state;
      const [newest, note, requests] = await find(service);
      expect(newest).toBe(code);
      seen.push([note, requests]);
    }
    expect(seen).toEqual([
      [`${found} It is over: its status is redeemed. ${unknown}`, 2],
      [`${found} It is over: its status is revoked. ${unknown}`, 4],
      [`${found} It is over: its status is expired. ${unknown}`, 4],
      [`${found} It is over: its status is redeemed. ${unknown}`, 6],
      [`${found} Its status is active. ${unknown}`, 6],
    ]);
  });

  it('says what it cannot find', async () => {
    const service = await serviceWith('active', true);
    expect(await find(service, 'SPRING-')).toEqual([
      'not_found',
      'Get Coupon found no coupon of LEAD@example.com that was made with this prefix and key. A coupon may exist that was made elsewhere, with another Code Prefix, or before the Coupon Key or, without one, the secret changed. Only its code finds that one.',
    ]);
  });

  it('says that a scope is missing, and stops at a service that finds every code', async () => {
    const service = await serviceWith('active', true);
    service.unknownStatus = 403;
    expect((await find(service))[0]).toBe(first);
    expect((await find(service, 'SPRING-'))[0]).toBe('missing_scope');
    service.finds = ({ code }) => ({ ...wanted, code });
    const [, , requests] = await find(service);
    expect(requests).toBe(11);
  });
});
