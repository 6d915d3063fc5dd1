import { operations } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';
import { type RecordField, recordFields } from '@screen-advertising/core/forms';
import type { PlainOutputField } from 'zapier-platform-core';

const types: Partial<Record<RecordField['type'], NonNullable<PlainOutputField['type']>>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
};

/**
 * The known fields of the records of an operation or task. Records with the same values in the
 * fields of `primary` count as the same record.
 */
export function outputFields(operation: Task, primary: readonly string[]): PlainOutputField[] {
  return recordFields(operation).flatMap((field) => [
    { ...outputField(field), ...(primary.includes(field.name) && { primary: true }) },
    ...amountField(field.name, field.title),
  ]);
}

/**
 * The same for records that contain the screen they describe: its fields one by one, except its ID.
 */
export function outputFieldsWithScreen(task: Task, primary: readonly string[]): PlainOutputField[] {
  const [, ...ofScreen] = outputFields(operations['screen.list'], []);
  return [
    ...outputFields(task, primary).filter(({ key }) => key !== 'screen'),
    ...ofScreen.map(({ key, label, ...field }) => ({
      ...field,
      key: `screen__${key}`,
      label: `Screen ${label}`,
    })),
    { key: 'screen__thumbnail', label: 'Screen Thumbnail', type: 'file' },
  ];
}

function outputField({ name, title, type }: RecordField): PlainOutputField {
  if (type === 'json') return { key: name, label: title, dict: true };
  return {
    key: name,
    label: withUnit(title, name),
    type: typeOf(name, type),
  };
}

/** Whole numbers in the specification (sections 2.1, 2.2 and 2.4). */
const integers = /_cents$|^resolution_|^max_redemptions$|^days$/;

function typeOf(name: string, type: RecordField['type']): NonNullable<PlainOutputField['type']> {
  if (isTimestamp(name)) return 'datetime';
  return integers.test(name) ? 'integer' : (types[type] ?? 'string');
}

const cents = /_cents$/;

/** The name of an amount in currency units: `price_per_day` for `price_per_day_cents`. */
function nameWithoutCents(name: string): string | undefined {
  return cents.test(name) ? name.replace(cents, '') : undefined;
}

/**
 * Adds each amount in currency units to a record: emails do not quote prices in cents, and a Zap
 * would need another step to convert them. The fields of the service stay as they are.
 */
export function withAmounts<Record extends object>(record: Record): Record {
  const amounts = Object.entries(record).flatMap(([name, value]) => {
    const amount = nameWithoutCents(name);
    return amount && typeof value === 'number' ? [[amount, value / 100] as const] : [];
  });
  return { ...Object.fromEntries(amounts), ...record };
}

/** Its field. The currency is unknown: the units are whatever the cents are hundredths of. */
export function amountField(name: string, title: string): PlainOutputField[] {
  const key = nameWithoutCents(name);
  return key ? [{ key, label: `${title} in Currency Units`, type: 'number' }] : [];
}

/** The sample of a task whose records contain the screen they describe. */
export function sampleWithScreen({ sample }: Task): Task['sample'] {
  return { ...withAmounts(sample), screen: withAmounts(operations['screen.get'].sample) };
}

/** Names of timestamps: the contract's end alike (`created_at`), the relay's own is `since`. */
export function isTimestamp(name: string): boolean {
  return /_at$|^since$/.test(name);
}

/** Zapier shows no description beside the value of a field, so the label names the unit. */
export function withUnit(label: string, name: string): string {
  if (name.endsWith('_cents') && !label.endsWith('in Currency Units')) return `${label} in Cents`;
  if (name.startsWith('resolution_')) return `${label} in Pixels`;
  if (name.endsWith('_km') && !label.endsWith('in Kilometers')) return `${label} in Kilometers`;
  return name.endsWith('_pct') ? `${label} in Percent` : label;
}

/** `user_id` becomes `User ID`, and `amount_cents` becomes `Amount`. */
export function labelOf(name: string): string {
  const words = name.replace(/_cents$/, '').replaceAll('_', ' ');
  return words.replace(/\bid\b|\b[a-z]/g, (start) => start.toUpperCase());
}
