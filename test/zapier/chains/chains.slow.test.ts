import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { tier } from '../../support/tier.ts';
import { inputFieldsOf } from '../definition-lint/definition.ts';
import { type Input, isAlike, type Output, outputMeaning, whyLeftOut } from './kinds.ts';
import { asZapierMaps, dayIn } from './mapped.ts';
import { type Fields, needed, openWorld } from './world.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
  // The app logs why it passes over a coupon.
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterAll(() => world.service.close());

const zones = ['Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland'];

/** Days on which the clocks change in one of the zones, and moments beside them. */
const rounds = [
  { cents: 1250, share: 5.1, date: '2027-03-28', text: 'Köln', discount: ['amount_cents', 1250] },
  { cents: 1, share: 100, date: '2027-03-14', text: "L'Aquila", discount: ['percent', 5.1] },
  { cents: 129_999, share: 0.5, date: '2027-04-04', text: 'A & B', discount: ['free_days', 3] },
  { cents: 30, share: 33.3, date: '2027-10-31T21:59:59Z', text: '1', discount: ['percent', 100] },
  { cents: 999, share: 7, date: '2027-03-27T23:30:00.250Z', text: 'é', discount: ['percent', 1] },
] as const;

type Round = (typeof rounds)[number];

/** Every field that the service shows anywhere, in its own units. */
function recordOf({ cents, share, date, text, discount }: Round): Fields {
  const [discount_type, discount_value] = discount;
  const texts = ['name', 'description', 'city', 'address', 'venue_type', 'industry'];
  const dates = ['valid_until', 'created_at', 'registered_at', 'paid_at', 'redeemed_at'];
  const shares = ['ad_sov_pct', 'max_sov_pct', 'used_sov_pct', 'available_sov_pct'];
  return {
    ...Object.fromEntries(texts.map((name) => [name, text])),
    ...Object.fromEntries([...dates, 'rejected_at'].map((name) => [name, date])),
    ...Object.fromEntries(shares.map((name) => [name, share])),
    ...{ id: 'id_1', screen_id: 'id_1', code: 'SPRING-25', user_id: 'usr_1', campaign_id: 'cmp_1' },
    ...{ lead_email: 'ada@example.com', email: 'ada@example.com', country: 'DE' },
    ...{ orientation: 'landscape', status: 'rejected', max_redemptions: 3, exists: true },
    ...{ latitude: 0, longitude: 0.01, price_per_day_cents: cents, amount_cents: cents },
    ...{ discount_type, discount_value, lead_metadata: { crm_id: '42' } },
  };
}

const valueAt = (record: Fields, key: string): unknown =>
  key.split('__').reduce<unknown>((value, name) => (value as Fields | null)?.[name], record);

/** The types of a discount, by what is mapped into its value. */
const discountTypes: Fields = { amount: 'amount_cents', share: 'percent', days: 'free_days' };

/** The other fields of the step, as few as it takes to map one. */
function othersOf({ part, field: { key } }: Input, meaning: string, record: Fields): Fields {
  const { [key]: _own, ...rest } = { ...needed[part.place] };
  const { from: _from, to: _to, ...withoutPeriod } = rest;
  if (key === 'next_days') return withoutPeriod;
  if (key === 'from') return { ...rest, to: '2099-12-31' };
  if (key === 'to') return { ...rest, from: '2000-01-01' };
  if (key === 'radius_km') return { ...rest, near: '0, 0' };
  const type = discountTypes[meaning] ?? record.discount_type;
  if (key === 'discount_value') return { ...rest, discount_type: type };
  return key === 'discount_type' ? { ...rest, discount_value: 1 } : rest;
}

/** Whether the search finds the record only if its field has this value, of those that differ least. */
const compared: Readonly<Record<string, (value: never) => { same: Fields; other: Fields }>> = {
  budget_cents: (cents: number) => ({
    same: { price_per_day_cents: cents },
    other: { price_per_day_cents: cents + 1 },
  }),
  min_available_sov_pct: (share: number) => ({
    same: { available_sov_pct: share },
    other: { available_sov_pct: share - 0.01 },
  }),
  radius_km: (km: number) => ({ same: {}, other: { longitude: 0.0101 + km / 1000 } }),
  name: (name: string) => ({ same: { name }, other: { name: 'x' } }),
  lead_email: (lead_email: string) => ({ same: { lead_email }, other: { lead_email: 'x@b.c' } }),
};

/** What the step makes of the value, in the units of the service. */
async function readBack(
  input: Input,
  others: Fields,
  value: unknown,
  expected: unknown,
  zone: string,
) {
  const { part, field } = input;
  const { service, run } = world;
  const inputData = { ...others, [field.key]: asZapierMaps(field, value, zone) };
  const found = () => run(part, inputData, { timezone: zone });
  const isCompared = part.kind !== 'creates' && compared[field.key];
  if (isCompared) {
    const record = recordOf(rounds[0]);
    const { same, other } = isCompared(expected as never);
    service.show({ ...record, ...same });
    const isFound = (await found()).length;
    service.show({ ...record, ...other });
    return isFound === 1 && (await found()).length === 0 ? expected : `${isFound} found`;
  }
  service.take();
  const [record = {}] = await found();
  const sent = service.take().map(({ query, body, path }): Fields => ({ ...query, ...body, path }));
  if (field.key === 'next_days') {
    const period = sent.find((one) => one.from !== undefined);
    return 1 + (Date.parse(String(period?.to)) - Date.parse(String(period?.from))) / 86_400_000;
  }
  const holder = sent.find((one) => one[field.key] !== undefined);
  if (holder) return holder[field.key];
  // A path parameter, or one that the record returns.
  const [, , segment] = String(sent.at(-1)?.path).split('/');
  return record[field.key] ?? segment;
}

/** The value of the service behind an output field, in the form that the input field passes on. */
function expectedOf(output: Output, input: Input, record: Fields, zone: string): unknown {
  const { key } = output.field;
  const value = valueAt(record, key);
  const meaning = outputMeaning(output);
  if (meaning === 'amount') return valueAt(record, `${key}_cents`);
  if (key === 'discount_value') return record.discount_value_cents ?? value;
  const isDay = /^(from|to)$/.test(input.field.key) && input.part.noun !== 'Campaign Request';
  if (meaning !== 'date') return value;
  return isDay || !/T/.test(String(value)) ? dayIn(zone, String(value)) : value;
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) ||
  String(one) === String(other) ||
  (/T/.test(String(one)) &&
    Math.floor(Date.parse(String(one)) / 1000) === Math.floor(Date.parse(String(other)) / 1000));

/** All values nightly; otherwise each pair has one of them, the next pair the next one. */
const isTurnOf = (nth: number, pair: number): boolean =>
  tier === 'nightly' || pair % rounds.length === nth;

it('what a step outputs means the same in every field of a step that is alike', async () => {
  const { parts, output } = world;
  const inputs = parts.flatMap((part) =>
    inputFieldsOf(part).map((field): Input => ({ part, field })),
  );
  const differences: string[] = [];
  const leftOut: Record<string, number> = {};
  const pairs = new Set<string>();
  for (const [nth, round] of rounds.entries()) {
    const service = recordOf(round);
    const zone = zones[nth % zones.length] ?? '';
    let pair = 0;
    for (const part of parts) {
      const record = await output(part, service);
      for (const field of part.operation.outputFields ?? []) {
        const one = { part, field };
        const meaning = outputMeaning(one);
        for (const other of inputs) {
          const why = whyLeftOut(one, other);
          if (why && nth === 0) leftOut[why] = (leftOut[why] ?? 0) + 1;
          if (why || !isAlike(one, other)) continue;
          pair += 1;
          if (!isTurnOf(nth, pair)) continue;
          const name = `${part.place}.${field.key} in ${other.part.place}.${other.field.key}`;
          pairs.add(name);
          const value = valueAt(record, field.key);
          const expected = expectedOf(one, other, record, zone);
          const others = othersOf(other, meaning, service);
          const read = await readBack(other, others, value, expected, zone).catch(
            (error: Error) => error.message,
          );
          if (!isSame(read, expected)) differences.push(`${name}, ${zone}: ${value} is ${read}`);
        }
      }
    }
  }
  expect(differences).toEqual([]);
  expect(leftOut).toEqual({
    'a coupon has other statuses than a campaign request': 6,
    'a place takes both numbers': 32,
    'its label says cents, and the field beside it has the unit of forms': 24,
    'one is the file, the other its format': 9,
  });
  expect(pairs.size).toBe(466);
});
