import { type FormField, formFields } from '../catalogue/fields.ts';
import type { Task } from '../catalogue/operation.ts';
import { inCurrencyUnits } from './amounts.ts';

/** The fields of an operation or task as a form shows them to people: amounts in currency units. */
export function shownFields(task: Task): FormField[] {
  return formFields(task).map(inCurrencyUnits);
}
