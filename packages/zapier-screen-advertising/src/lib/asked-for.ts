import { InputError } from '@screen-advertising/core';
import type { Bundle } from 'zapier-platform-core';
import { isBlank } from './read-input.ts';
import type { Step } from './step.ts';

/** A search whose form has filters, and a field that names one record. */
export interface SearchForm extends Step {
  /** Key of the field that names one record; if it is filled in, the others are ignored. */
  readonly identifier: string;
}

/**
 * Whether a search is for one record, for those that match the filters, or for none: an ID mapped
 * from an earlier step may be empty. Throws InputError when nothing is filled in, since the Zap
 * would continue with whatever record the service lists first.
 */
export function askedFor(
  { inputData, inputDataRaw }: Bundle,
  { label: title, identifier, fields }: SearchForm,
): 'one' | 'some' | 'none' {
  if (!isBlank(inputData[identifier])) return 'one';
  if (!isBlank(inputDataRaw?.[identifier])) return 'none';
  if (fields.some(({ key }) => !isBlank(inputData[key]))) return 'some';
  const labels = fields.map(({ label }) => label).join(', ');
  const message = `at least one of these must be filled in: ${labels}. A field mapped from an earlier step may have been empty`;
  throw new InputError(title, [{ field: '', message }]);
}
