import { type Client, operations, type Screen } from '@screen-advertising/core';
import { withAmounts } from '@screen-advertising/core/forms';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/connection/client.ts';
import { collect } from '../lib/connection/deadline.ts';
import { withThumbnail } from '../lib/connection/thumbnail.ts';
import { withArea } from '../lib/fields/area.ts';
import { inputFields, screenDropdown } from '../lib/fields/input-fields.ts';
import { outputFields } from '../lib/fields/output-fields.ts';
import { isBlank, readInput } from '../lib/fields/read-input.ts';
import { deadlineMs } from '../lib/limits.ts';
import { leftOutField, nearby, screensNearby, withLeftOut } from '../lib/steps/nearby.ts';
import {
  filterHint,
  type SearchForm,
  type SearchPage,
  searchByIdOrFilters,
  searchPosition,
  singlePage,
  toSearchPage,
} from '../lib/steps/search.ts';
import { defineStep } from '../lib/steps/step.ts';

const list = operations['screen.list'];
const get = operations['screen.get'];
const pageSize = 50;

const form: SearchForm = {
  label: 'Find Screen',
  scopes: list.scopes,
  identifier: 'screenId',
  modifiers: ['radius_km', 'sort_by'],
  fields: [
    {
      key: 'name',
      label: 'Name',
      type: 'string',
      required: false,
      helpText: 'All or part of the name of the screen, in upper or lower case.',
    },
    ...inputFields(nearby, {
      extras: {
        near: { required: false },
        sort_by: {
          helpText:
            'Which screens come first; at most 1,000 are returned. Default: the nearest with Near, else the order of the service.',
        },
      },
    }),
    ...inputFields(get, {
      extras: {
        screenId: {
          ...screenDropdown,
          required: false,
          helpText: 'One screen. The other fields are then ignored.',
        },
      },
    }),
  ],
};

async function findScreen(z: ZObject, bundle: Bundle) {
  const client = clientFor(z, bundle);
  const { results, paging_token } = await searchByIdOrFilters<Screen>(bundle, form, {
    byId: () => client.call(get, readInput(get, bundle.inputData), { deadlineMs }),
    byFilters: () => findByFilters(z, client, bundle),
  });
  return { results: results.map((result) => withThumbnail(z, withAmounts(result))), paging_token };
}

async function findByFilters(
  z: ZObject,
  client: Client,
  bundle: Bundle,
): Promise<SearchPage<Screen>> {
  const { name } = bundle.inputData;
  const found = await screensNearby(client, bundle, form.label);
  if (found) {
    const [named, unplaced] = [found.screens, found.withoutCoordinates].map((screens) =>
      matches(screens, name),
    );
    return singlePage(withLeftOut(z, named ?? [], unplaced ?? []));
  }
  const filters = readInput(list, bundle.inputData);
  const { sort_by } = readInput(nearby, bundle.inputData, ['near']);
  if (isBlank(name) && sort_by === undefined) {
    const input = { ...filters, ...searchPosition(bundle), limit: pageSize };
    return toSearchPage(await client.call(list, input, { deadlineMs }));
  }
  // The service neither filters by name nor sorts, so this reads all screens.
  const screens = await collect(client, form.label, (signal) =>
    client.items(list, filters, { signal }),
  );
  const sorted = sort_by ? screens.toSorted((a, b) => priceOf(a) - priceOf(b)) : screens;
  return singlePage(matches(sorted, name));
}

/** Screens without a price come last. */
function priceOf({ price_per_day_cents }: Screen): number {
  return typeof price_per_day_cents === 'number' ? price_per_day_cents : Number.MAX_SAFE_INTEGER;
}

/** The screens with all or part of the name, the best match first; without a name, all. */
function matches(screens: readonly Screen[], name: unknown): Screen[] {
  if (isBlank(name)) return [...screens];
  const query = String(name).trim().toLowerCase();
  const nameOf = (one: Screen): string => (one.name ?? '').toLowerCase();
  const found = screens.filter((one) => nameOf(one).includes(query));
  return found.toSorted((a, b) => Number(nameOf(b) === query) - Number(nameOf(a) === query));
}

export default defineStep(form, {
  key: 'find_screen',
  noun: 'Screen',
  description: 'Finds a screen by its name, place, or other filters.',
  inputFields: [...withArea(form.fields), filterHint(list)],
  outputFields: [
    ...outputFields(nearby, ['id']),
    leftOutField,
    { key: 'thumbnail', label: 'Thumbnail', type: 'file' },
  ],
  sample: withAmounts(get.sample),
  canPaginate: true,
  perform: findScreen,
}) satisfies Search;
