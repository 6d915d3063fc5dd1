import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { type FormField, shownFields } from '@screen-advertising/core/forms';
import type { PlainInputField } from 'zapier-platform-core';
import { withUnit } from './field-names.ts';

/** What only Zapier can do with a field, by the field's name. */
export type FieldExtras = Readonly<Record<string, Omit<PlainInputField, 'key'>>>;

/** A field for a screen, picked from the hidden trigger `screen_list`. */
export const screenDropdown = { dynamic: 'screen_list.id.name' } as const;

/** A field for a campaign request, picked from the hidden trigger `campaign_request_list`. */
export const campaignRequestDropdown = { dynamic: 'campaign_request_list.id.name' } as const;

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

const types: Record<FormField['type'], NonNullable<PlainInputField['type']>> = {
  text: 'string',
  email: 'string',
  code: 'string',
  country: 'string',
  coordinates: 'string',
  // Lets a person write "next monday"; `readInput` takes the day from what Zapier makes of it.
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

/** The input fields of a catalogue entry as Zapier shows them, except those in `omit`. */
export function inputFields(
  operation: CatalogueEntry,
  { omit = [], extras = {} }: { omit?: readonly string[]; extras?: FieldExtras } = {},
): PlainInputField[] {
  return shownFields(operation)
    .filter(({ name }) => !omit.includes(name))
    .map((field) => ({
      ...inputField(operation, field),
      ...valueDropdowns[field.name],
      ...extras[field.name],
    }));
}

function inputField(operation: CatalogueEntry, field: FormField): PlainInputField {
  return {
    key: field.name,
    label: withUnit(field.title, field.name),
    type: types[field.type],
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
