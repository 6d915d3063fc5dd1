import { InputError, operations } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import {
  type FormField,
  formFields,
  type InputOf,
  type ReadField,
  type RecordField,
  readForm,
  readNamedValuePairs,
  readWhenEmpty,
  shownFields,
  shownRecordFields,
  type WhenEmpty,
  whenEmptyField,
  withCurrencyAmounts,
  withOptionalFields,
} from '@screen-advertising/core/forms';
import { safeOutsideText } from '@screen-advertising/core/platform';
import type { Bundle, PlainInputField, PlainOutputField } from 'zapier-platform-core';

type Values = Readonly<Record<string, unknown>>;

/** Settings that only Zapier has, by the name of the field. */
export type FieldExtras = Readonly<Record<string, Omit<PlainInputField, 'key'>>>;

/** A field for a screen, picked from the hidden trigger `screen_list`. */
export const screenDropdownSettings = { dynamic: 'screen_list.id.name' } as const;

/** A field for a campaign request, picked from the hidden trigger `campaign_request_list`. */
export const campaignRequestDropdownSettings = {
  dynamic: 'campaign_request_list.id.name',
} as const;

/**
 * Filters whose values the specification does not list: the hidden triggers do. A value that no
 * record has adds a hint to the form.
 */
const valueDropdowns: FieldExtras = {
  country: {
    dynamic: 'country_list.id.name',
    altersDynamicFields: true,
    helpText:
      'Only screens in this country. Choose one that has screens, or enter its code or name as a custom value.',
  },
  city: {
    dynamic: 'city_list.id.name',
    altersDynamicFields: true,
    helpText: 'Only screens in this city. Choose one that has screens, or enter a custom value.',
  },
  orientation: {
    dynamic: 'orientation_list.id.name',
    altersDynamicFields: true,
    helpText:
      'Only screens with this orientation. Choose one from the list, or enter a custom value spelled as in the orientation field of a screen.',
  },
  industry: {
    dynamic: 'industry_list.id.name',
    altersDynamicFields: true,
    helpText:
      'Only campaign requests in this industry. Choose one that your requests have, or enter a custom value.',
  },
};

const inputTypes: Record<FormField['type'], NonNullable<PlainInputField['type']>> = {
  text: 'string',
  email: 'string',
  code: 'string',
  country: 'string',
  coordinates: 'string',
  // Lets a person write "next monday", which Zapier reads.
  date: 'datetime',
  moment: 'datetime',
  number: 'number',
  integer: 'integer',
  toggle: 'boolean',
  choice: 'string',
  choices: 'string',
  // Keys and values, entered side by side; an earlier step may map JSON or plain text instead.
  json: 'string',
};

/** A field that only Zapier has; `after` names the field before it, '' for the first place. */
export type ZapierOnlyField = FormField & Pick<ReadField, 'range'> & { readonly after?: string };

export interface FormAdditions {
  /** Fields that are not shown. */
  readonly omit?: readonly string[];
  /** Fields that the entry requires, and the form does not. */
  readonly optional?: readonly string[];
  readonly more?: readonly ZapierOnlyField[];
  readonly extras?: FieldExtras;
  /** Nothing can be mapped into the first step of a Zap. */
  readonly isTrigger?: boolean;
}

/** The form of a step: how Zapier shows it, and how its values become input. */
export interface StepForm<Input> {
  readonly fields: PlainInputField[];
  /** Without these, more is found. */
  readonly conditions: readonly ReadField[];
  /** The input, and what the fields hold that only Zapier has. Throws InputError or EmptyConditionError. */
  readonly read: (bundle: Pick<Bundle, 'inputData' | 'inputDataRaw' | 'meta'>) => Input & Values;
}

/** The form of a catalogue entry, with what Zapier adds to it. */
export function createForm<Op extends CatalogueEntry>(
  entry: Op,
  { omit = [], optional = [], more = [], extras = {}, isTrigger = false }: FormAdditions = {},
): StepForm<InputOf<Op>> {
  const offered = shownFields(entry).filter(({ name }) => !omit.includes(name));
  const shown = withOptionalFields(offered, optional);
  for (const { after, ...field } of more) {
    const place = shown.findIndex(({ name }) => name === after) + 1;
    shown.splice(after === undefined ? shown.length : place, 0, field);
  }
  const whenEmpty = isTrigger ? undefined : whenEmptyField(shown);
  return {
    fields: [...shown, ...(whenEmpty ? [whenEmpty] : [])].map((field) => ({
      ...inputField(entry, field),
      ...valueDropdowns[field.name],
      ...extras[field.name],
    })),
    conditions: shown.filter(({ widens }) => widens !== undefined),
    read: ({ inputData, inputDataRaw = {}, meta }) => {
      refusePlaceholders(entry.title, shown, inputData);
      const entered: Record<string, unknown> = {};
      const written: Record<string, unknown> = {};
      for (const { name, type } of shown) {
        const { [zapierFieldKey(name)]: text } = inputDataRaw as Values;
        written[name] = text;
        const given = isExactDate(type, text) ? text : inputData[zapierFieldKey(name)];
        entered[name] = type === 'json' ? withoutEmptyPairs(entry.title, given) : given;
      }
      const chosen = readWhenEmpty(entry.title, shown, inputData.when_empty);
      return readForm(entry, entered, {
        optional: [...omit, ...optional],
        more,
        written,
        joinsLists: true,
        timeZone: meta.timezone,
        whenEmpty: inEditor(whenEmpty, meta) ? (chosen ?? 'find_nothing') : chosen,
      }) as InputOf<Op> & Values;
    },
  };
}

/**
 * An error in the editor would keep Find or Create from creating; while a Zap runs, an empty list
 * would create what exists.
 */
function inEditor(setting: ReturnType<typeof whenEmptyField>, { isLoadingSample }: Bundle['meta']) {
  const choices = (setting?.choices ?? []) as readonly { readonly value: WhenEmpty }[];
  return isLoadingSample && choices.some(({ value }) => value === 'find_nothing');
}

/** Refuses text that another app left in a state that would change its meaning on the way. */
function refusePlaceholders(title: string, fields: readonly FormField[], inputData: Values): void {
  const issues = fields.flatMap(({ name }) => {
    const found = findPlaceholder(inputData[zapierFieldKey(name)]);
    if (found === undefined) return [];
    const message = `still has the placeholder ${safeOutsideText(found, { maxLength: 60 })}, which nothing filled in: choose a field of an earlier step, or write the value`;
    return [{ field: name, message }];
  });
  if (issues.length > 0) throw new InputError(title, issues);
}

const day = /^\s*\d{1,4}[-./] ?\d{1,2}[-./] ?\d{1,4}\s*$/;
const moment = /^\s*\d{4}-\d{2}-\d{2}[T ][\d:.,]+ ?(Z|[+-]\d{2}:?\d{2})\s*$/i;

/**
 * Whether a person typed a day, or a moment that is the same in every time zone. Zapier makes a time
 * in the zone of the Zap of both. Text that only Zapier can read, such as "next monday", stays as
 * Zapier read it.
 */
function isExactDate(type: FormField['type'], text: unknown): boolean {
  const isDate = type === 'date' || type === 'moment';
  return isDate && typeof text === 'string' && (day.test(text) || moment.test(text));
}

/** Pairs of a name and a value arrive as an object. */
function withoutEmptyPairs(title: string, given: unknown): unknown {
  const isPairs = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isPairs ? readNamedValuePairs(title, Object.entries(given), 'json').members : given;
}

/** The field that identifies a record, as one condition among others. */
export function recordIdAsCondition(entry: CatalogueEntry): ZapierOnlyField {
  const fields = shownFields(entry);
  const [field] = withOptionalFields(
    fields,
    fields.map(({ name }) => name),
  );
  if (!field) throw new TypeError(`${entry.name} has no fields.`);
  return field;
}

/** The part of what was read that this entry takes. */
export function inputForEntry<Op extends CatalogueEntry>(entry: Op, read: Values): InputOf<Op> {
  const names = formFields(entry).map(({ name }) => name);
  return Object.fromEntries(
    Object.entries(read).filter(([name]) => names.includes(name)),
  ) as InputOf<Op>;
}

function inputField(operation: CatalogueEntry, field: FormField): PlainInputField {
  return {
    key: zapierFieldKey(field.name),
    label: labelWithUnit(field.title, field.unit),
    type: inputTypes[field.type],
    required: field.required,
    ...(!repeatsLabel(operation, field) && { helpText: withPlainAddresses(field.description) }),
    ...(field.choices && { choices: choicesOf(field.choices) }),
    ...(field.type === 'json'
      ? { dict: true }
      : field.example && !field.choices && { placeholder: field.example }),
  };
}

/** Zapier reads help as Markdown, in which an address without a link needs backticks (D008). */
function withPlainAddresses(text: string): string {
  return text.replace(/https:\/\/\S*[^\s.,]/g, '`$&`');
}

function choicesOf(choices: NonNullable<FormField['choices']>) {
  return choices.map(({ value, title }) => ({ value, sample: value, label: title }));
}

/** Zapier's reviewers reject help that says no more than the label (D011). */
function repeatsLabel({ resource }: CatalogueEntry, { title, description }: FormField): boolean {
  const { title: noun, plural } = resource;
  const repetitions = [
    `The ${title} of the ${noun}.`,
    `Only ${plural} in this ${title}.`,
    `Only ${plural} with this ${title}.`,
  ];
  return repetitions.some((text) => text.toLowerCase() === description.toLowerCase());
}

/** Zapier removes it from addresses, and refuses some of it in a body. */
const placeholder = /\{\{[\s\S]*?\}\}/;

/** Text in two curly brackets, such as `{{contact.city}}`, which nothing filled in. */
export function findPlaceholder(value: unknown): string | undefined {
  if (typeof value === 'string') return placeholder.exec(value)?.[0];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of [...Object.keys(value), ...Object.values(value)]) {
    const found = findPlaceholder(inner);
    if (found) return found;
  }
  return undefined;
}

const outputTypes: Partial<Record<RecordField['type'], NonNullable<PlainOutputField['type']>>> = {
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
 * The known fields of records that contain the screen they describe: its fields one by one, except
 * its ID.
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
    label: labelWithUnit(title, unit),
    type: typeOf(name, type),
  };
}

/** Whole numbers in the specification (sections 2.1, 2.2 and 2.4). */
const integers = /_cents$|^resolution_|^max_redemptions$|^days$/;

function typeOf(name: string, type: RecordField['type']): NonNullable<PlainOutputField['type']> {
  if (isTimestamp(name)) return 'datetime';
  return integers.test(name) ? 'integer' : (outputTypes[type] ?? 'string');
}

/** The sample of a task whose records contain the screen they describe. */
export function sampleWithScreen({ sample }: CatalogueEntry): CatalogueEntry['sample'] {
  const { id: _id, ...screen } = withCurrencyAmounts(operations['screen.get'].sample);
  return { ...withCurrencyAmounts(sample), screen };
}

type Unit = Extract<FormField['unit'], string>;

/** Names of timestamps: the contract's end alike (`created_at`), the relay's own is `since`. */
export function isTimestamp(name: string): boolean {
  return /_at$|^since$/.test(name);
}

/** The key of a field in Zapier's forms: `screenId` becomes `screen_id`. */
export function zapierFieldKey(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const units: Partial<Record<Unit, string>> = {
  cents: 'Cents',
  pixels: 'Pixels',
  kilometers: 'Kilometers',
  percent: 'Percent',
};

/** Zapier shows no description beside the value of a field, so the label names the unit. */
export function labelWithUnit(label: string, unit: FormField['unit']): string {
  const name = typeof unit === 'string' ? units[unit] : undefined;
  return name === undefined || / in (Currency Units|Kilometers)$/.test(label)
    ? label
    : `${label} in ${name}`;
}

/** Zapier wants a noun of one word, and makes its plural: `Landing Link` becomes `Link`. */
export function zapierNoun(title: string): string {
  return title.split(' ').at(-1) ?? title;
}

/** `user_id` becomes `User ID`, and `amount_cents` becomes `Amount`. */
export function labelFromName(name: string): string {
  const words = name.replace(/_cents$/, '').replaceAll('_', ' ');
  return words.replace(/\bid\b|\b[a-z]/g, (start) => start.toUpperCase());
}
