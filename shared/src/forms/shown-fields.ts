import { type FormField, formFields } from '../catalogue/fields.ts';
import type { CatalogueEntry } from '../catalogue/operation.ts';
import { inCurrencyUnits } from './amounts.ts';

/** The fields of a catalogue entry as a form shows them to people: amounts in currency units. */
export function shownFields(entry: CatalogueEntry): FormField[] {
  return formFields(entry).map(inCurrencyUnits);
}
