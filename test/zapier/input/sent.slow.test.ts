import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '../app/definition.ts';
import { status } from '../app/fault.ts';
import type { ZapierRunner } from '../app/runner.ts';
import { useService } from '../app/use-service.ts';
import { type InputField, inputFieldsOf, visiblePartsOf } from '../definition-lint/definition.ts';

type Fields = Readonly<Record<string, unknown>>;

const service = useService();

/** The same for all steps: the seed's API key opens the sandbox after each reset. */
let connection: ZapierRunner | undefined;

const nothing = 'nothing';

/** The first request of a run, which stops there; `nothing` when the step refuses its input. */
async function sentBy(place: string, inputData: Fields): Promise<string> {
  connection ??= await service().connect();
  service().sandbox.journal.clear();
  service().sandbox.faults.add(status(400));
  await connection.run(`${place}.operation.perform`, { inputData }).catch(() => undefined);
  service().sandbox.faults.clear();
  const [first] = service().sandbox.journal.list();
  if (!first) return nothing;
  const { method, path, requestBody } = first;
  return [method, path.replace(/^\/api\/v1/, ''), requestBody].filter(Boolean).join(' ');
}

const march = { from: '2027-03-01', to: '2027-03-31' };

/** What a step needs in addition to the fields that its form requires. */
const additions: Readonly<Record<string, Fields>> = {
  'creates.create_landing_link': { fields: { page: 'start' } },
  'searches.find_screen': { orientation: 'landscape' },
  'searches.find_campaign_request': { status: 'rejected' },
  'searches.find_available_screens': march,
  'searches.get_screen_availability': march,
  'triggers.screen_availability_changed': march,
};

/** They need a place. */
const isOfPlace = /^(radius_km|sort_by)$/;
const berlin = '52.5200, 13.4050';

const examples: Fields = { screenId: 'scr_1', name: 'Central', next_days: '14' };

interface Field extends InputField {
  readonly place: string;
  /** A value that people write in the field. */
  readonly example: string;
  /** The other fields of the step, as few as it takes to run. */
  readonly others: Fields;
}

function exampleOf({ key, choices, placeholder }: InputField): string {
  const [choice] = (choices ?? []) as { value: string }[];
  return String(choice?.value ?? placeholder ?? examples[key]);
}

/** Every field of every step, except pairs of keys and values, and what only changes the form. */
async function fields(): Promise<Field[]> {
  return visiblePartsOf(await definitionOf('public')).flatMap((part) => {
    const all = inputFieldsOf(part).filter(({ dict, key }) => !dict && key !== 'area');
    const chosen = part.operation.chosenFields?.map(({ key }) => key) ?? [];
    const needed = all.filter(({ required, key }) => required && !chosen.includes(key));
    const rest = { ...Object.fromEntries(needed.map((one) => [one.key, exampleOf(one)])) };
    return all.map((field) => {
      const { [field.key]: _own, ...others } = { ...rest, ...additions[part.place] };
      const isPeriod = field.key === 'next_days';
      return {
        ...field,
        place: part.place,
        example: exampleOf(field),
        others: {
          ...others,
          ...(isPeriod && { from: '', to: '' }),
          ...(isOfPlace.test(field.key) && { near: berlin }),
        },
      };
    });
  });
}

/** Fields in which two values lead to different requests. */
async function differing(
  one: (field: Field) => unknown,
  other: (field: Field) => unknown,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const field of await fields()) {
    const { place, key, others } = field;
    const first = await sentBy(place, { ...others, [key]: one(field) });
    const second = await sentBy(place, { ...others, [key]: other(field) });
    if (first !== second) found.push([place, key, first, second]);
  }
  return found;
}

const example = (field: Field) => field.example;
const omitted = () => undefined;

/** The app itself compares shares, prices, changes, distances and coupons, and draws QR codes. */
const ownFields =
  /_pct$|_cents$|\.(change|status|near|radius_km|sort_by|qr_code\w*|only_active)$|find_coupon\.lead_email$/;

describe('in every field of every step', () => {
  it('a value is sent', async () => {
    const unsent: string[] = [];
    for (const { place, key, others, example: value } of await fields()) {
      const sent = await sentBy(place, { ...others, [key]: value });
      const isSent = sent !== nothing && sent !== (await sentBy(place, others));
      const isOwn = ownFields.test(`${place}.${key}`) && sent !== nothing;
      if (!isSent && !isOwn) unsent.push(`${place}.${key} ${sent}`);
    }
    expect(unsent).toEqual([]);
  });

  it('white space around a value is left out', async () => {
    expect(await differing(({ example: value }) => `\t ${value}\u00a0\n`, example)).toEqual([]);
  });

  it.each([
    ['white space', ' \n'],
    ['empty text', ''],
    ['null', null],
  ])('%s counts as not filled in', async (_what, blank) => {
    expect(await differing(() => blank, omitted)).toEqual([]);
  });
});

describe('pairs of keys and values', () => {
  const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };
  const pairs = { ' crm_id ': ' 0042 ', floor: 42, campaign: '  ' };
  const sent = { crm_id: '0042', floor: 42 };

  it('are sent without white space, and without those that have no value', async () => {
    expect(await sentBy('creates.create_coupon', { ...coupon, lead_metadata: pairs })).toBe(
      `POST /coupons ${JSON.stringify({ ...coupon, lead_metadata: sent })}`,
    );
    expect(await sentBy('creates.create_landing_link', { fields: pairs })).toBe(
      `POST /landing-links ${JSON.stringify(sent)}`,
    );
  });

  it.each([[{}], [null], [{ campaign: '  ' }]])('are left out when empty: %j', async (none) => {
    expect(await sentBy('creates.create_coupon', { ...coupon, lead_metadata: none })).toBe(
      `POST /coupons ${JSON.stringify(coupon)}`,
    );
    expect(await sentBy('creates.create_landing_link', { fields: none, utm_term: 'a' })).toBe(
      'POST /landing-links {"utm_term":"a"}',
    );
  });
});
