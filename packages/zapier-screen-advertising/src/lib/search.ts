import {
  InputError,
  type Operation,
  type Page,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import {
  explainEmptyResult,
  isEmpty,
  type KnownField,
  knownFields,
  listWithField,
  readForm,
} from '@screen-advertising/core/forms';
import { nextCursor } from '@screen-advertising/core/platform';
import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { createRunClient, withDeadline } from './client.ts';

import type { NamedStep } from './errors.ts';
import { findPlaceholder, type StepForm } from './fields.ts';

/** A search by ID or by filters. */
interface SearchStep extends NamedStep {
  /** Name of the field for the ID; if it is filled in, the others are ignored. */
  readonly identifier: string;
  /** Names of conditions that select nothing on their own. */
  readonly modifiers?: readonly string[];
  readonly form: Pick<StepForm<unknown>, 'conditions'>;
}

interface Modes<Item> {
  readonly byId: () => Promise<Item>;
  readonly byFilters: () => Promise<SearchPage<Item>>;
}

/**
 * Runs the search that the form asks for. Throws InputError when nothing is filled in: the Zap would
 * continue with whatever record the service lists first.
 */
export async function searchByIdOrFilters<Item>(
  read: Readonly<Record<string, unknown>>,
  { label, identifier, modifiers = [], form }: SearchStep,
  { byId, byFilters }: Modes<Item>,
): Promise<SearchPage<Item>> {
  if (read[identifier] !== undefined) return singleSearchPage(await oneOrNone(byId()));
  if (Object.keys(read).length > 0) return byFilters();
  const selecting = form.conditions.filter(({ name }) => !modifiers.includes(name));
  throw new InputError(label, [{ field: '', message: fillInOneOfMessage(selecting) }]);
}

/** The message when none of these fields is filled in. */
export function fillInOneOfMessage(fields: readonly { readonly title: string }[]): string {
  const labels = fields.map(({ title }) => title).join(', ');
  return `at least one of these must be filled in: ${labels}. A field mapped from an earlier step may have been empty`;
}

/**
 * A search without a result returns an empty list (requirement 6.4.1): an error would keep Find or
 * Create from creating, and Zapier shows no text beside the list. So the form itself names a filter
 * that no record has, such as a misspelled city.
 */
export function emptySearchHint(task: CatalogueEntry) {
  return async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
    const isTyped = (value: unknown): boolean =>
      !isEmpty(value) && findPlaceholder(value) === undefined;
    const fields = knownFields.filter((field) => isTyped(bundle.inputData[field]));
    if (fields.length === 0) return [];
    const client = createRunClient(z, bundle);
    const whyNone = async (field: KnownField, signal: AbortSignal): Promise<string> => {
      const list = listWithField(field);
      const given = { [field]: bundle.inputData[field] };
      const filter = readForm(list, given) as Record<string, unknown>;
      const page: unknown = await client.call(list, { ...filter, ...smallest(list) }, { signal });
      if ((page as Page<unknown>).data.length > 0) return '';
      return (await explainEmptyResult(client, task, filter, { signal })) ?? '';
    };
    try {
      const reasons = await withDeadline(client, task.title, (signal) =>
        Promise.all(fields.map((field) => whyNone(field, signal))),
      );
      const helpText = reasons.filter(Boolean).join(' ');
      return helpText ? [{ key: 'filter_hint', type: 'copy', helpText }] : [];
    } catch (error) {
      // The step itself reports it. Others, such as a token to renew, are for Zapier.
      if (!ScreenAdvertisingError.isInstance(error)) throw error;
      return [];
    }
  };
}

/** One record is enough, where a page has a size. */
function smallest({ largestPage }: Operation): { limit?: number } {
  return largestPage ? { limit: 1 } : {};
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

/**
 * One page of a list that Zapier turns. It counts pages, while the service continues from a cursor.
 * `z.cursor` stores that cursor between pages, and an empty one ends the list.
 */
export async function readNextSearchPage<Item>(
  z: ZObject,
  { meta }: Bundle,
  read: (position: { cursor?: string }) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const cursor = meta.page ? await z.cursor.get() : undefined;
  if (meta.page && !cursor) return [];
  const { data, pagination } = await read(cursor ? { cursor } : {});
  await z.cursor.set(nextCursor(pagination) ?? '');
  return data;
}

/** Zapier accepts a few megabytes from a search, and a person wants the first ones. */
const maxResults = 1000;

/** The first results of a search that finds all at once. */
export function singleSearchPage<Item>(results: readonly Item[]): SearchPage<Item> {
  return { results: results.slice(0, maxResults), paging_token: null };
}

/** The position from which Zapier asks a search to continue. */
export function searchPosition(bundle: Bundle): { cursor?: string } {
  const { paging_token } = bundle.meta;
  return paging_token ? { cursor: paging_token } : {};
}
