import { type Client, operations, type Screen } from '@screen-advertising/core';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { collectAllRecords, createRunClient } from '../lib/client.ts';
import {
  createForm,
  inputForEntry,
  outputFields,
  recordIdAsCondition,
  screenDropdownSettings,
  type ZapierOnlyField,
} from '../lib/fields.ts';
import { runDeadlineMs } from '../lib/limits.ts';
import {
  findNearbyEntry,
  findScreensNearStepPlace,
  leftOutCountField,
  withArea,
  withLeftOutCount,
  withThumbnail,
} from '../lib/screens.ts';

import {
  emptySearchHint,
  type SearchPage,
  searchByIdOrFilters,
  searchPosition,
  singleSearchPage,
  toSearchPage,
} from '../lib/search.ts';
import { defineStep } from '../lib/steps.ts';

const list = operations['screen.list'];
const get = operations['screen.get'];
const pageSize = 50;

const name: ZapierOnlyField = {
  name: 'name',
  title: 'Name',
  type: 'text',
  required: false,
  widens: 'Leave It Out',
  in: 'query',
  after: '',
  description: 'All or part of the name of the screen, in upper or lower case.',
};

const form = createForm(findNearbyEntry, {
  optional: ['near'],
  more: [name, recordIdAsCondition(get)],
  extras: {
    sort_by: {
      helpText:
        'Which screens come first; at most 1,000 are returned. Default: the nearest with Near, else the order of the service.',
    },
    screenId: {
      ...screenDropdownSettings,
      helpText: 'One screen. The other fields are then ignored.',
    },
  },
});

const step = {
  label: 'Find Screen',
  scopes: list.scopes,
  identifier: 'screenId',
  modifiers: ['radius_km'],
  fields: form.fields,
  form,
};

async function findScreen(z: ZObject, bundle: Bundle) {
  const client = createRunClient(z, bundle);
  const read = form.read(bundle);
  const { results, paging_token } = await searchByIdOrFilters<Screen>(read, step, {
    byId: () => client.call(get, inputForEntry(get, read), { deadlineMs: runDeadlineMs }),
    byFilters: () => findByFilters(z, client, bundle, read),
  });
  return {
    results: results.map((result) => withThumbnail(z, withCurrencyAmounts(result))),
    paging_token,
  };
}

async function findByFilters(
  z: ZObject,
  client: Client,
  bundle: Bundle,
  read: Readonly<Record<string, unknown>>,
): Promise<SearchPage<Screen>> {
  const { name, sort_by } = read;
  const found = await findScreensNearStepPlace(client, read, step.label);
  if (found) {
    const [named, unplaced] = [found.screens, found.withoutCoordinates].map((screens) =>
      matches(screens, name),
    );
    return singleSearchPage(withLeftOutCount(z, named ?? [], unplaced ?? []));
  }
  const filters = inputForEntry(list, read);
  if (name === undefined && sort_by === undefined) {
    const input = { ...filters, ...searchPosition(bundle), limit: pageSize };
    return toSearchPage(await client.call(list, input, { deadlineMs: runDeadlineMs }));
  }
  // The service neither filters by name nor sorts, so this reads all screens.
  const screens = await collectAllRecords(client, step.label, (signal) =>
    client.items(list, filters, { signal }),
  );
  const sorted = sort_by ? screens.toSorted((a, b) => priceOf(a) - priceOf(b)) : screens;
  return singleSearchPage(matches(sorted, name));
}

/** Screens without a price come last. */
function priceOf({ price_per_day_cents }: Screen): number {
  return typeof price_per_day_cents === 'number' ? price_per_day_cents : Number.MAX_SAFE_INTEGER;
}

/** The screens with all or part of the name, the best match first; without a name, all. */
function matches(screens: readonly Screen[], name: unknown): Screen[] {
  if (name === undefined) return [...screens];
  const query = String(name).toLowerCase();
  const nameOf = (one: Screen): string => (one.name ?? '').toLowerCase();
  const found = screens.filter((one) => nameOf(one).includes(query));
  return found.toSorted((a, b) => Number(nameOf(b) === query) - Number(nameOf(a) === query));
}

export default defineStep(step, {
  key: 'find_screen',
  noun: 'Screen',
  description: 'Finds a screen by its name, place, or other filters.',
  inputFields: [...withArea(step.fields), emptySearchHint(list)],
  outputFields: [
    ...outputFields(findNearbyEntry, ['id']),
    leftOutCountField,
    { key: 'thumbnail', label: 'Thumbnail', type: 'file' },
  ],
  sample: withCurrencyAmounts(get.sample),
  canPaginate: true,
  perform: findScreen,
}) satisfies Search;
