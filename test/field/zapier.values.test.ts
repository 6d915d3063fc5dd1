import { describe, expect, it } from '@jest/globals';
import { useService } from '../zapier/app/use-service.ts';
import { readZapierError } from '../zapier/app/zapier.ts';

type Fields = Readonly<Record<string, unknown>>;

const service = useService();

/** What Zapier shows of a run: its result, or its error. `raw` is what the fields hold. */
async function run(place: string, inputData: Fields, raw: Fields = {}, meta: Fields = {}) {
  const zapier = await service().connect();
  service().sandbox.journal.clear();
  const bundle = { inputData, inputDataRaw: { ...inputData, ...raw }, meta };
  return zapier.run(`${place}.operation.perform`, bundle).catch(readZapierError);
}
const sent = () =>
  service()
    .sandbox.journal.list()
    .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);

const mapped = '{{1__value}}';
const march = { from: '2027-03-01', to: '2027-03-31' };
const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };

const conditions: ReadonlyArray<readonly [step: string, title: string, key: string, Fields]> = [
  ['find_screen', 'Name', 'name', { city: 'Berlin' }],
  ['find_screen', 'City', 'city', { country: 'DE' }],
  ['find_screen', 'Near', 'near', { city: 'Berlin' }],
  ['find_screen', 'Radius in Kilometers', 'radius_km', { near: '52.5, 13.4' }],
  ['find_screen', 'Screen', 'screen_id', { city: 'Berlin' }],
  ['find_available_screens', 'Budget in Currency Units', 'budget_cents', march],
  ['find_coupon', 'Lead Email', 'lead_email', { code: 'SPRING-25' }],
  ['find_coupon', 'Code', 'code', { lead_email: 'lead@example.com' }],
  ['find_campaign_request', 'Campaign Request', 'id', { status: 'rejected' }],
  ['find_campaign_request', 'From', 'from', { status: 'rejected' }],
];

describe('a condition that was mapped and came out empty', () => {
  it.each(conditions)('fails in %s: %s', async (step, title, key, others) => {
    for (const empty of [undefined, null, '', ' \n', '\u200b', []]) {
      const error = await run(`searches.${step}`, { ...others, [key]: empty }, { [key]: mapped });
      expect(error).toMatchObject({
        name: 'AppError',
        message: expect.stringContaining(
          `was not sent: ${title} came out empty: correct what fills it, or set 'When a Condition Is Empty' to 'Leave It Out'.`,
        ),
      });
      expect(sent()).toEqual([]);
    }
  });

  it.each(conditions)(
    'ends the search in the editor without a record, in %s: %s',
    async (step, _t, key, others) => {
      const input = { ...others, [key]: '' };
      const found = await run(
        `searches.${step}`,
        input,
        { [key]: mapped },
        { isLoadingSample: true },
      );
      expect((found as { results?: unknown }).results ?? found).toEqual([]);
      expect(sent()).toEqual([]);
    },
  );

  it.each([
    ['find_nothing', []],
    ['Find Nothing', []],
    ['leave_out', ['GET /screens?country=DE&limit=50']],
    ['Leave It Out', ['GET /screens?country=DE&limit=50']],
  ])('does what the owner chose: %s', async (when_empty, requests) => {
    await run('searches.find_screen', { country: 'DE', city: '', when_empty }, { city: mapped });
    expect(sent()).toEqual(requests);
  });

  it('is not one that was left empty', async () => {
    await run('searches.find_screen', { country: 'DE', city: ' ' });
    expect(sent()).toEqual(['GET /screens?country=DE&limit=50']);
  });

  it('is also one of which only the text around the tag is left', async () => {
    const error = await run(
      'searches.find_coupon',
      { code: 'WELCOME-' },
      { code: `WELCOME-${mapped}` },
    );
    expect(error).toMatchObject({ message: expect.stringContaining('Code came out empty') });
    expect(sent()).toEqual([]);
  });

  it('is Valid Until, without which the coupon would have no end', async () => {
    const place = 'creates.create_coupon';
    for (const meta of [{}, { isLoadingSample: true }]) {
      const error = await run(place, { ...coupon, valid_until: '' }, { valid_until: mapped }, meta);
      expect(error).toMatchObject({
        message:
          "Create Coupon was not sent: Valid Until came out empty: correct what fills it, or set 'When Valid Until Is Empty' to 'No End'.",
      });
      expect(sent()).toEqual([]);
    }
    const chosen = { ...coupon, valid_until: '', when_empty: 'leave_out' };
    expect(await run(place, chosen, { valid_until: mapped })).toMatchObject({ valid_until: null });
  });

  it('is left out where nothing widens', async () => {
    const inputData = { ...coupon, max_redemptions: '', lead_metadata: { crm: '', vip: 'yes' } };
    const raw = { max_redemptions: mapped, lead_metadata: { crm: mapped, vip: 'yes' } };
    const made = await run('creates.create_coupon', inputData, raw);
    expect(made).toMatchObject({ lead_metadata: { vip: 'yes' } });
  });
});

it.each(['WELCOME-', 'WELCOME- \n'])('a code is refused that is only %j', async (code) => {
  const raw = { code: `WELCOME-${mapped}` };
  expect(await run('creates.create_coupon', { ...coupon, code }, raw)).toMatchObject({
    message:
      'Create Coupon was not sent: Code is only "WELCOME-", because the value mapped into it came out empty.',
  });
  expect(sent()).toEqual([]);
});

it.each([
  ['Code', 'code', 'LI-1,LI-2', 'must be one value'],
  ['Lead Email', 'lead_email', 'a@b.de,c@d.de', 'must be one address'],
  ['Maximum Redemptions', 'max_redemptions', '5,10', 'must be one whole number, such as 5'],
])('line items in %s are refused', async (title, key, value, message) => {
  const error = await run('creates.create_coupon', { ...coupon, [key]: value }, { [key]: mapped });
  expect(error).toMatchObject({
    message: `Create Coupon was not sent: ${title} ${message}, not "${value}": line items arrive with a comma between them.`,
  });
  expect(sent()).toEqual([]);
});

describe('Only Active', () => {
  const revoked = async (only_active: unknown) => {
    const body = JSON.stringify({ data: { code: 'SPRING-25', status: 'revoked' } });
    service().sandbox.faults.add({ path: '/coupons/*', fault: 'status', status: 200, body });
    return run('searches.find_coupon', { code: 'SPRING-25', only_active });
  };

  it.each([true, 'true', 'yes', 'on', 'y', 't', '1', '1.0', 1, ' Yes '])(
    'is on with %j: the revoked coupon is not found',
    async (given) => {
      expect(await revoked(given)).toEqual([]);
    },
  );

  it.each([false, 'false', 'no', 'off', '0', 0, '', null])('is off with %j', async (given) => {
    expect(await revoked(given)).toHaveLength(1);
  });

  it.each(['maybe', '2', 'ja'])('is refused with %j', async (given) => {
    expect(await revoked(given)).toMatchObject({
      message: `Find Coupon was not sent: Only Active must be true or false, not "${given}".`,
    });
  });
});

describe('values of other kinds than text', () => {
  it.each([
    ['searches.find_campaign_request', { from: { day: 1 } }, 'From', 'not an object'],
    ['searches.find_campaign_request', { from: ['2027-03-01', '2027-03-02'] }, 'From', 'not 2'],
    ['creates.create_landing_link', { utm_source: { a: 1 } }, 'UTM Source', 'not an object'],
    ['searches.find_screen', { name: { first: 'x' } }, 'Name', 'not an object'],
    ['searches.find_available_screens', { next_days: '14 days' }, 'Next Days', 'not "14 days"'],
    ['searches.find_available_screens', { next_days: 0 }, 'Next Days', 'from 1 to 3650, not 0'],
    ['searches.find_available_screens', { next_days: '3651' }, 'Next Days', 'not "3651"'],
  ])('are refused by %s in %j', async (place, input, title, end) => {
    const { message } = (await run(place, input)) as { message: string };
    expect(message).toMatch(new RegExp(`was not sent: ${title} must be .*${end}\\.$`));
    expect(sent()).toEqual([]);
  });

  it('are days as numbers, which no day is', async () => {
    const inputData = { from: 20270301 };
    expect(await run('searches.find_campaign_request', inputData)).toMatchObject({
      message: expect.stringContaining('From must be a date such as 2027-03-31'),
    });
  });
});

describe('days', () => {
  const until = async (raw: string, given: string, timezone: string | null = 'Europe/Vienna') => {
    const input = { ...coupon, valid_until: given };
    const made = await run('creates.create_coupon', input, { valid_until: raw }, { timezone });
    return (made as { valid_until?: string; message?: string }).valid_until ?? made;
  };

  it.each([
    [mapped, '2027-12-24T00:00:00+01:00', '2027-12-24'],
    // The same moment, written elsewhere: 25 hours longer if it were a day.
    [mapped, '2027-12-23T17:00:00-06:00', '2027-12-23T17:00:00-06:00'],
    ['24.12.2027', '2027-12-24T00:00:00+01:00', '2027-12-24'],
    ['2027-12-24', '2027-12-24T00:00:00+01:00', '2027-12-24'],
  ])('%s, which arrives as %s, is valid until %s', async (raw, given, day) => {
    expect(await until(raw, given)).toBe(day);
  });

  it('that could be two are refused, whatever Zapier reads', async () => {
    expect(await until('03/04/2027', '2027-03-04T00:00:00+01:00')).toMatchObject({
      message:
        'Create Coupon was not sent: Valid Until must be written as YYYY-MM-DD, such as 2027-03-31, since it can mean two days, not "03/04/2027".',
    });
  });

  it('need a zone, unless they say what they are', async () => {
    expect(await until(mapped, '2027-12-24T00:00:00+01:00', null)).toMatchObject({
      message: expect.stringContaining('the time zone is not known'),
    });
    expect(await until('2027-12-24', '2027-12-24T00:00:00+01:00', null)).toBe('2027-12-24');
  });
});
