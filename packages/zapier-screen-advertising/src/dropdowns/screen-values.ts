import { operations, type Screen } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { withDeadline } from '../lib/deadline.ts';
import type { FieldExtras } from '../lib/input-fields.ts';
import { type Choice, dropdown } from './dropdown.ts';

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
  key: 'country_list',
  noun: 'Country',
  plural: 'Countries',
  scopes: list.scopes,
  sample: { id: 'DE', name: 'Germany (DE)' },
  load: valuesOf('country', countryChoice),
});

export const orientationList = dropdown({
  key: 'orientation_list',
  noun: 'Orientation',
  plural: 'Orientations',
  scopes: list.scopes,
  sample: { id: 'landscape', name: 'landscape' },
  load: valuesOf('orientation', (value) => ({ id: value, name: value })),
});
