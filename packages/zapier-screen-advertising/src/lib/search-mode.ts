import { InputError } from '@screen-advertising/core';
import type { Bundle } from 'zapier-platform-core';
import { isBlank } from './read-input.ts';
import { oneOrNone, type SearchPage, wholeResult } from './search-results.ts';
import type { Step } from './step.ts';

/** A search by ID or by filters. */
export interface SearchForm extends Step {
  /** Key of the field for the ID; if it is filled in, the others are ignored. */
  readonly identifier: string;
}

interface Modes<Item> {
  readonly byId: () => Promise<Item>;
  readonly byFilters: () => Promise<SearchPage<Item>>;
}

/** Runs the search that the form asks for. Throws InputError when nothing is filled in. */
export async function searchByIdOrFilters<Item>(
  bundle: Bundle,
  form: SearchForm,
  { byId, byFilters }: Modes<Item>,
): Promise<SearchPage<Item>> {
  const mode = searchMode(bundle, form);
  if (mode === 'none') return wholeResult([]);
  return mode === 'by-id' ? wholeResult(await oneOrNone(byId())) : byFilters();
}

/**
 * `none` when an ID mapped from an earlier step is empty. A search with no field filled in is an
 * error, since the Zap would continue with whatever record the service lists first.
 */
function searchMode(
  { inputData, inputDataRaw }: Bundle,
  { label: title, identifier, fields }: SearchForm,
): 'by-id' | 'by-filters' | 'none' {
  if (!isBlank(inputData[identifier])) return 'by-id';
  if (!isBlank(inputDataRaw?.[identifier])) return 'none';
  if (fields.some(({ key }) => !isBlank(inputData[key]))) return 'by-filters';
  const labels = fields.map(({ label }) => label).join(', ');
  const message = `at least one of these must be filled in: ${labels}. A field mapped from an earlier step may have been empty`;
  throw new InputError(title, [{ field: '', message }]);
}
