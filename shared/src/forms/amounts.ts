import { inCentsNote, type NumberUnit, type UnitByField } from '../catalogue/field-types.ts';
import { type FormField, formFields, type RecordField, recordFields } from '../catalogue/fields.ts';
import { catalogue } from '../catalogue/index.ts';
import type { CatalogueEntry } from '../catalogue/operation.ts';
import { isRecord } from '../json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a catalogue entry as a form shows them to people: amounts in currency units. */
export function shownFields(entry: CatalogueEntry): FormField[] {
  return formFields(entry).map(inCurrencyUnits);
}

function inCurrencyUnits(field: FormField): FormField {
  const { title, description, unit, example } = field;
  if (unit === 'cents') {
    const units = written(Number(example));
    return {
      ...field,
      title: `${title} in Currency Units`,
      description: description.replace(
        inCentsNote,
        `In currency units, such as ${units} or 12.50.`,
      ),
      example: units,
    };
  }
  return typeof unit === 'object' ? { ...field, description: unit.inForms } : field;
}

const written = (cents: number): string => (cents / 100).toString();

const hasCents = ({ units }: UnitByField): boolean => Object.values(units).includes('cents');

/** What a number counts, by what the other fields say. */
export function unitOfNumber(
  { unit }: Pick<FormField, 'unit'>,
  others: Fields,
): NumberUnit | undefined {
  return typeof unit === 'object' ? unit.units[String(others[unit.field])] : unit;
}

/** With one or two decimals: three would be thousands to half of the world. */
const amount = /^\+?(\d+)(?:[.,](\d{1,2}))?$/;

/** What a computer leaves of 3.30 when it computes it, such as 3.3000000000000003. */
const computed = /^\+?\d+\.\d{10,}$/;

/** The cents of an amount in currency units, exactly. Undefined for anything else. */
export function centsOfAmount(entered: string | number): number | undefined {
  const [, whole, fraction = ''] = amount.exec(String(entered)) ?? [];
  const cents =
    whole === undefined ? computedCents(entered) : Number(whole + fraction.padEnd(2, '0'));
  return cents > 0 && Number.isSafeInteger(cents) ? cents : undefined;
}

function computedCents(entered: string | number): number {
  return computed.test(String(entered)) ? roundNearlyWhole(Number(entered) * 100) : Number.NaN;
}

/** The whole number that a computed one stands for; the number itself if there is none. */
export function roundNearlyWhole(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-6 ? whole : value;
}

const ofService = /_cents$/;

/** Fields that are amounts only by the value of another one, such as `discount_value`. */
const byField = (): ReadonlyMap<string, UnitByField> => {
  const all = Object.values(catalogue).flatMap((group) => Object.values<CatalogueEntry>(group));
  return new Map(
    all
      .flatMap(formFields)
      .flatMap(({ name, unit }) =>
        typeof unit === 'object' && hasCents(unit) ? [[name, unit] as const] : [],
      ),
  );
};
let amountsByField: ReturnType<typeof byField> | undefined;

/**
 * The record with its amounts in currency units, as people write them, each beside the number of
 * the service: `discount_value` and `price_per_day` beside `discount_value_cents` and
 * `price_per_day_cents`. So what a form outputs can be entered in a form, and means the same. The
 * currency is unknown: the units are whatever the cents are hundredths of. Records may hold fields
 * that the catalogue does not know: the service ends the names of all amounts alike.
 */
export function withCurrencyAmounts<Record>(record: Record): Record {
  if (!isRecord(record)) return record;
  const all: Fields = record;
  amountsByField ??= byField();
  const fields = Object.entries(all).flatMap(([name, value]) => {
    const isOfService = ofService.test(name);
    const unit = amountsByField?.get(name);
    if (!isOfService && unitOfNumber(unit ? { unit } : {}, all) !== 'cents')
      return [[name, value] as const];
    const [shown, inCentsName] = isOfService
      ? [name.replace(ofService, ''), name]
      : [name, `${name}_cents`];
    const given = all[inCentsName] ?? value;
    const cents = numberIn(given);
    // A field of the service stays, unless it is named like an input.
    if (cents === undefined || (shown !== name && shown in all)) return [[name, value] as const];
    return [[shown, cents / 100] as const, [inCentsName, given] as const];
  });
  return Object.fromEntries(fields) as Record;
}

/** Also of a number that the service sends as text. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** A fact that only the presence of another field shows. */
const referredByYou: RecordField = {
  name: 'referred_by_you',
  title: 'Referred by You',
  description: 'Whether you referred the user',
  type: 'boolean',
};

/** The known fields of the records of a catalogue entry, with those that a form adds. */
export function shownRecordFields(entry: CatalogueEntry): RecordField[] {
  amountsByField ??= byField();
  return recordFields(entry).flatMap((field) => {
    const { name, title, unit, ...rest } = field;
    if (name === 'attribution') return [referredByYou, field];
    if (amountsByField?.has(name)) {
      return [field, { ...rest, title, name: `${name}_cents`, unit: 'cents' }];
    }
    if (unit !== 'cents') return [field];
    const shown = { name: name.replace(ofService, ''), title: `${title} in Currency Units` };
    return [{ ...rest, ...shown }, field];
  });
}
