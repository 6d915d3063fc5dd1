import {
  type CampaignRequest,
  type Operation,
  operations,
  type Page,
  type Screen,
} from '@screen-advertising/core';
import { nextCursor, recordId } from '@screen-advertising/core/platform';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { clientFor } from './lib/client.ts';
import { withDeadline } from './lib/deadline.ts';
import { withZapierErrors } from './lib/errors.ts';
import type { FieldExtras } from './lib/input-fields.ts';
import { deadlineMs } from './lib/limits.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

interface Dropdown {
  readonly noun: string;
  readonly plural: string;
  /** The list that the choices come from. */
  readonly list: Operation;
  readonly sample: Choice;
  readonly canPaginate?: true;
  /** Returns the choices; `label` is what errors call the list. */
  readonly load: (z: ZObject, bundle: Bundle, label: string) => Promise<Choice[]>;
}

/** A hidden trigger that fills the dropdown of a field. */
function dropdown({ noun, plural, list, sample, canPaginate, load }: Dropdown) {
  const label = `List of ${plural}`;
  const step = { label, scopes: list.scopes, fields: [] };
  return {
    key: `${noun.toLowerCase().replace(' ', '_')}_list`,
    noun,
    display: {
      label,
      description: `Triggers when a list of ${plural.toLowerCase()} to choose from is needed.`,
      hidden: true,
    },
    operation: {
      type: 'polling',
      perform: withZapierErrors((z, bundle) => load(z, bundle, label), step),
      ...(canPaginate && { canPaginate }),
      sample: { ...sample },
      outputFields: [
        { key: 'id', label: 'ID', type: 'string', primary: true },
        { key: 'name', label: 'Name', type: 'string' },
      ],
    },
  } satisfies Trigger;
}

const pageSize = 100;

/**
 * A dropdown of the records of a list, by the names that `nameOf` gives them. Zapier counts pages,
 * while the service continues from a cursor. `z.cursor` stores that cursor between pages, and an
 * empty one ends the list.
 */
function recordList<Item extends { readonly id?: unknown }>(
  list: Operation,
  sample: Choice,
  nameOf: (record: Item, id: string) => string,
) {
  const { resource, largestPage } = list;
  return dropdown({
    noun: resource.title,
    plural: resource.plural,
    list,
    sample,
    canPaginate: true,
    load: async (z, bundle) => {
      const client = clientFor(z, bundle);
      const isFirst = !bundle.meta.page;
      const cursor = isFirst ? undefined : await z.cursor.get();
      if (!isFirst && !cursor) return [];
      const input = { ...(cursor && { cursor }), ...(largestPage && { limit: pageSize }) };
      const page: unknown = await client.call(list, input, { deadlineMs });
      const { data, pagination } = page as Page<Item>;
      await z.cursor.set(nextCursor(pagination) ?? '');
      return data.map((record) => {
        const id = recordId(record) ?? '';
        return { id, name: nameOf(record, id) };
      });
    },
  });
}

export const screenList = recordList<Screen>(
  operations['screen.list'],
  { id: 'scr_berlin_0001', name: 'Central Station, Main Hall, Berlin' },
  ({ name, city }, id) => [name ?? id, city].filter(Boolean).join(', '),
);

/** The record has no name, so the label shows the fields that distinguish it. */
export const campaignRequestList = recordList<CampaignRequest>(
  operations['campaignRequest.list'],
  { id: 'cr_0001', name: 'retail, rejected, cr_0001' },
  ({ industry, status }, id) => [industry, status, id].filter(Boolean).join(', '),
);

const list = operations['screen.list'];

/** Enough to find every value, with at most ten requests each time a user opens the dropdown. */
const maxScreens = 2000;

/**
 * The filters of screens whose values the specification does not list: the screens themselves do.
 */
export const screenValueDropdowns: FieldExtras = {
  country: {
    dynamic: 'country_list.id.name',
    helpText:
      'Only screens in this country. Choose one that has screens, or enter a 2-letter code as a custom value.',
  },
  orientation: {
    dynamic: 'orientation_list.id.name',
    helpText:
      'Only screens with this orientation. Choose one from the list, or enter a custom value spelled as in the orientation field of a screen.',
  },
};

/** The values that screens have in one of their fields. */
function valuesOf(
  field: 'country' | 'orientation',
  choiceOf: (value: string) => Choice | undefined,
) {
  return async (z: ZObject, bundle: Bundle, label: string): Promise<Choice[]> => {
    // All choices are on the first page, since they are known only once the screens are read.
    if (bundle.meta.page) return [];
    const client = clientFor(z, bundle);
    const values = await withDeadline(
      label,
      async (signal) => {
        const found = new Set<string>();
        let read = 0;
        for await (const screen of client.items(list, {}, { signal })) {
          const value = textOf(screen, field);
          if (value) found.add(value);
          read += 1;
          if (read === maxScreens) break;
        }
        return [...found];
      },
      'Enter a custom value instead.',
    );
    const shown = values.map(choiceOf).filter((choice) => choice !== undefined);
    const choices = new Map(shown.map((choice) => [choice.id, choice]));
    return [...choices.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  };
}

function textOf(screen: Screen, field: 'country' | 'orientation'): string {
  const value = screen[field];
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * Shows `DE` as `Germany (DE)`. Drops values that are not 2-letter codes: the filter would refuse
 * them.
 */
function countryChoice(code: string): Choice | undefined {
  const id = code.toUpperCase();
  if (!/^[A-Z]{2}$/.test(id)) return undefined;
  const country = countryNames.of(id);
  return { id, name: country ? `${country} (${id})` : id };
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

export const countryList = dropdown({
  noun: 'Country',
  plural: 'Countries',
  list,
  sample: { id: 'DE', name: 'Germany (DE)' },
  load: valuesOf('country', countryChoice),
});

export const orientationList = dropdown({
  noun: 'Orientation',
  plural: 'Orientations',
  list,
  sample: { id: 'landscape', name: 'landscape' },
  load: valuesOf('orientation', (value) => ({ id: value, name: value })),
});
