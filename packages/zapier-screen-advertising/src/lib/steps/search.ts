import {
  type Client,
  InputError,
  type Page,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { whyEmpty } from '@screen-advertising/core/forms';
import { nextCursor } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { withDeadline } from '../connection/deadline.ts';
import type { Step } from '../errors/error-message.ts';
import { withoutLog } from '../errors/errors.ts';
import { atLeastOneOf, isBlank } from '../fields/read-input.ts';

/** A search by ID or by filters. */
export interface SearchForm extends Step {
  /** Key of the field for the ID; if it is filled in, the others are ignored. */
  readonly identifier: string;
  /** Keys of fields that select nothing on their own. */
  readonly modifiers?: readonly string[];
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
  if (mode === 'none') return singlePage([]);
  return mode === 'by-id' ? singlePage(await oneOrNone(byId())) : byFilters();
}

/**
 * `none` when an ID mapped from an earlier step is empty. A search with no field filled in is an
 * error, since the Zap would continue with whatever record the service lists first.
 */
function searchMode(
  { inputData, inputDataRaw }: Bundle,
  { label: title, identifier, fields, modifiers = [] }: SearchForm,
): 'by-id' | 'by-filters' | 'none' {
  if (!isBlank(inputData[identifier])) return 'by-id';
  if (!isBlank(inputDataRaw?.[identifier])) return 'none';
  if (fields.some(({ key }) => !isBlank(inputData[key]))) return 'by-filters';
  const selecting = fields.filter(({ key }) => !modifiers.includes(key));
  throw new InputError(title, [{ field: '', message: atLeastOneOf(selecting) }]);
}

/**
 * Says in the editor why a search has no result, since a misspelled filter looks the same. A Zap that
 * runs continues as its owner set it up: it may be waiting for the first result.
 */
export async function explainInEditor(
  z: ZObject,
  client: Client,
  { inputData, meta }: Bundle,
  { label, task }: { readonly label: string; readonly task: CatalogueEntry },
): Promise<void> {
  if (!meta.isLoadingSample) return;
  const why = await withDeadline(label, (signal) => whyEmpty(client, task, inputData, { signal }));
  if (why) throw noRecords(z, label, why);
}

/** Says in the editor why a record that exists does not match. In a Zap that runs, the log says it. */
export function explainMismatch(z: ZObject, { meta }: Bundle, label: string, why: string): void {
  if (meta.isLoadingSample) throw noRecords(z, label, why);
  z.console.log(why);
}

function noRecords(z: ZObject, label: string, why: string): Error {
  return withoutLog(new z.errors.HaltedError(`${label} returned no records. ${why}`));
}

/** The result of a search for one record: empty when the service does not know it. */
export async function oneOrNone<Item>(record: Promise<Item>): Promise<Item[]> {
  try {
    return [await record];
  } catch (error) {
    if (isUnknownRecord(error)) return [];
    throw error;
  }
}

/** A 404 without a problem document comes from a wrong base URL, not from the service. */
function isUnknownRecord(error: unknown): boolean {
  return (
    ScreenAdvertisingError.isInstance(error) &&
    error.code === 'not_found' &&
    (error.problem !== undefined || error.status === undefined)
  );
}

/** The result of a search that Zapier pages through: the token is empty on the last page. */
export interface SearchPage<Item> {
  results: Item[];
  paging_token: string | null;
}

export function toSearchPage<Item>({ data, pagination }: Page<Item>): SearchPage<Item> {
  return { results: data, paging_token: nextCursor(pagination) ?? null };
}

/** Zapier accepts a few megabytes from a search, and a person wants the first ones. */
const maxResults = 1000;

/** The first results of a search that finds all at once. */
export function singlePage<Item>(results: readonly Item[]): SearchPage<Item> {
  return { results: results.slice(0, maxResults), paging_token: null };
}

/** The position from which Zapier asks a search to continue. */
export function searchPosition(bundle: Bundle): { cursor?: string } {
  const { paging_token } = bundle.meta;
  return paging_token ? { cursor: paging_token } : {};
}
