import { type FormField, type RecordField, recordFields } from '../catalogue/fields.ts';
import type { CatalogueEntry } from '../catalogue/operation.ts';
import { isRecord } from '../json.ts';

type Shown = Partial<Pick<FormField, 'title' | 'description' | 'example'>>;

/** What forms say of fields whose numbers people write in currency units. */
const inUnits: Readonly<Record<string, Shown>> = {
  budget_cents: {
    title: 'Budget in Currency Units',
    description:
      'Only screens that cost at most this much for the whole period, in currency units such as 150 or 12.50. Applies to each screen separately.',
    example: '4000',
  },
  discount_value: {
    description:
      'The size of the discount, greater than 0. Percent: at most 100. Amount: in currency units, such as 12.50. Free days: a whole number.',
  },
};

/** The field as a form shows it: people think in currency units. */
export function inCurrencyUnits(field: FormField): FormField {
  return { ...field, ...inUnits[field.name] };
}

/** Whether the service takes this field in cents, by what the other fields say. */
export function isInCents(
  name: string,
  { discount_type }: Readonly<Record<string, unknown>>,
): boolean {
  return name.endsWith('_cents') || (name === 'discount_value' && discount_type === 'amount_cents');
}

/** With one or two decimals: three would be thousands to half of the world. */
const amount = /^\+?(\d+)(?:[.,](\d{1,2}))?$/;

/** The cents of an amount in currency units, exactly. Undefined for anything else. */
export function centsOf(entered: string | number): number | undefined {
  const [, whole, fraction = ''] = amount.exec(String(entered)) ?? [];
  if (whole === undefined) return undefined;
  const cents = Number(whole + fraction.padEnd(2, '0'));
  return cents > 0 && Number.isSafeInteger(cents) ? cents : undefined;
}

const inCents = /_cents$/;

/**
 * The record with its amounts in currency units, as people write them, each beside the number of
 * the service: `discount_value` and `price_per_day` beside `discount_value_cents` and
 * `price_per_day_cents`. So what a form outputs can be entered in a form, and means the same. The
 * currency is unknown: the units are whatever the cents are hundredths of.
 */
export function withAmounts<Fields>(record: Fields): Fields {
  if (!isRecord(record)) return record;
  const all: Readonly<Record<string, unknown>> = record;
  const fields = Object.entries(all).flatMap(([name, value]) => {
    if (!isInCents(name, all)) return [[name, value] as const];
    const [unit, ofService] = inCents.test(name)
      ? [name.replace(inCents, ''), name]
      : [name, `${name}_cents`];
    const given = all[ofService] ?? value;
    const cents = numberIn(given);
    // A field of the service stays, unless it is named like an input.
    if (cents === undefined || (unit !== name && unit in all)) return [[name, value] as const];
    return [[unit, cents / 100] as const, [ofService, given] as const];
  });
  return Object.fromEntries(fields) as Fields;
}

/** Also of a number that the service sends as text. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The known fields of the records of a catalogue entry, with the amounts that a form adds. */
export function shownRecordFields(entry: CatalogueEntry): RecordField[] {
  return recordFields(entry).flatMap((field) => {
    const { name, title } = field;
    if (name === 'discount_value') return [field, { ...field, name: `${name}_cents` }];
    if (!inCents.test(name)) return [field];
    const unit = { name: name.replace(inCents, ''), title: `${title} in Currency Units` };
    return [{ ...field, ...unit }, field];
  });
}
