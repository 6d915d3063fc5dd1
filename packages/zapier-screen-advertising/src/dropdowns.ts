import {
  type CampaignRequest,
  type Operation,
  operations,
  type Page,
  type Screen,
} from '@screen-advertising/core';
import { type KnownField, knownValues, listWithField } from '@screen-advertising/core/forms';
import { recordId } from '@screen-advertising/core/platform';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { createRunClient, withDeadline } from './lib/client.ts';

import { type NamedStep, withZapierErrors } from './lib/errors.ts';

import { zapierNoun } from './lib/fields.ts';
import { runDeadlineMs } from './lib/limits.ts';
import { readNextSearchPage } from './lib/search.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

interface Dropdown {
  /** Such as `Campaign Request`. */
  readonly title: string;
  readonly plural: string;
  /** The list that the choices come from. */
  readonly list: Operation;
  readonly sample: Choice;
  readonly canPaginate?: true;
  /** Returns the choices; `label` is what errors call the list. */
  readonly load: (z: ZObject, bundle: Bundle, label: string) => Promise<Choice[]>;
}

/** A hidden trigger that fills the dropdown of a field. */
function dropdown({ title, plural, list, sample, canPaginate, load }: Dropdown) {
  const label = `List of ${plural}`;
  const step: NamedStep = { label, place: 'list', scopes: list.scopes, fields: [] };
  return {
    key: `${title.toLowerCase().replace(' ', '_')}_list`,
    noun: zapierNoun(title),
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

/** A dropdown of the records of a list, by the names that `nameOf` gives them. */
function recordList<Item extends { readonly id?: unknown }>(
  list: Operation,
  sample: Choice,
  nameOf: (record: Item, id: string) => string,
) {
  const { resource, largestPage } = list;
  return dropdown({
    title: resource.title,
    plural: resource.plural,
    list,
    sample,
    canPaginate: true,
    load: async (z, bundle) => {
      const client = createRunClient(z, bundle);
      const records = await readNextSearchPage(z, bundle, async (position) => {
        const input = { ...position, ...(largestPage && { limit: pageSize }) };
        const page: unknown = await client.call(list, input, { deadlineMs: runDeadlineMs });
        return page as Page<Item>;
      });
      return records.map((record) => {
        const id = recordId(record) ?? '';
        return { id, name: nameOf(record, id) };
      });
    },
  });
}

export const screenListTrigger = recordList<Screen>(
  operations['screen.list'],
  { id: 'scr_berlin_0001', name: 'Central Station, Main Hall, Berlin' },
  ({ name, city }, id) => [name ?? id, city].filter(Boolean).join(', '),
);

/** The record has no name, so the label shows the fields that distinguish it. */
export const campaignRequestListTrigger = recordList<CampaignRequest>(
  operations['campaignRequest.list'],
  { id: 'cr_0001', name: 'retail, rejected, cr_0001' },
  ({ industry, status }, id) => [industry, status, id].filter(Boolean).join(', '),
);

/** The list of each filter whose values only the records show. */
const valuesOf: Readonly<Record<KnownField, { plural: string; sample: string }>> = {
  country: { plural: 'Countries', sample: 'DE' },
  city: { plural: 'Cities', sample: 'Berlin' },
  orientation: { plural: 'Orientations', sample: 'landscape' },
  industry: { plural: 'Industries', sample: 'retail' },
};

/** A dropdown of the values that records have in a field. */
function valueList(field: KnownField) {
  const { plural, sample } = valuesOf[field];
  const choiceOf = field === 'country' ? countryChoice : sameChoice;
  return dropdown({
    title: field.replace(/^./, (initial) => initial.toUpperCase()),
    plural,
    sample: choiceOf(sample) ?? sameChoice(sample),
    list: listWithField(field),
    load: async (z, bundle, label) => {
      // All choices are on the first page, since they are known only once the records are read.
      if (bundle.meta.page) return [];
      const client = createRunClient(z, bundle);
      const { [field]: values } = await withDeadline(
        client,
        label,
        (signal) => knownValues(client, [field], { signal }),
        'Enter a custom value instead.',
      );
      const shown = values.map(choiceOf).filter((choice) => choice !== undefined);
      const choices = new Map(shown.map((choice) => [choice.id, choice]));
      return [...choices.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
    },
  });
}

const sameChoice = (value: string): Choice => ({ id: value, name: value });

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

export const valueListTriggers: readonly Trigger[] = (Object.keys(valuesOf) as KnownField[]).map(
  valueList,
);
