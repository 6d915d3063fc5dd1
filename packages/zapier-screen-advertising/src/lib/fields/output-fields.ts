import { operations } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { type RecordField, shownRecordFields, withAmounts } from '@screen-advertising/core/forms';
import type { PlainOutputField } from 'zapier-platform-core';
import { isTimestamp, withUnit } from './field-names.ts';

const types: Partial<Record<RecordField['type'], NonNullable<PlainOutputField['type']>>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
};

/**
 * The known fields of the records of a catalogue entry. Records with the same values in the
 * fields of `primary` count as the same record.
 */
export function outputFields(
  operation: CatalogueEntry,
  primary: readonly string[],
): PlainOutputField[] {
  return shownRecordFields(operation).map((field) => ({
    ...outputField(field),
    ...(primary.includes(field.name) && { primary: true }),
  }));
}

/**
 * The same for records that contain the screen they describe: its fields one by one, except its ID.
 */
export function outputFieldsWithScreen(
  task: CatalogueEntry,
  primary: readonly string[],
): PlainOutputField[] {
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

function outputField({ name, title, type, unit }: RecordField): PlainOutputField {
  if (type === 'json') return { key: name, label: title, dict: true };
  return {
    key: name,
    label: withUnit(title, unit),
    type: typeOf(name, type),
  };
}

/** Whole numbers in the specification (sections 2.1, 2.2 and 2.4). */
const integers = /_cents$|^resolution_|^max_redemptions$|^days$/;

function typeOf(name: string, type: RecordField['type']): NonNullable<PlainOutputField['type']> {
  if (isTimestamp(name)) return 'datetime';
  return integers.test(name) ? 'integer' : (types[type] ?? 'string');
}

/** The sample of a task whose records contain the screen they describe. */
export function sampleWithScreen({ sample }: CatalogueEntry): CatalogueEntry['sample'] {
  const { id: _id, ...screen } = withAmounts(operations['screen.get'].sample);
  return { ...withAmounts(sample), screen };
}
