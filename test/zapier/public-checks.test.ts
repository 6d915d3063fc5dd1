import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import {
  type Definition,
  definitionOf,
  exampleInputOf,
  inputFieldsOf,
  type PlacedPart,
  partsOf,
  visiblePartsOf,
} from './app/definition.ts';
import { useService } from './app/use-service.ts';

/**
 * What Zapier checks before it publishes an app, on the definition of the public variant. Zapier's
 * own `validate` runs these on its servers, with an account. docs/submission.md has the other checks.
 */
const checksPage = 'https://docs.zapier.com/integrations/publish/integration-checks-reference';
const requirementsPage =
  'https://docs.zapier.com/platform/publish/integration-publishing-requirements';

/** What breaks the rule, each with its place. */
type Rule = (definition: Definition) => readonly string[];

const placed = <Of>(
  items: readonly (Of & { place: string })[],
  isWrong: (item: Of) => unknown,
  shown: (item: Of) => unknown = () => '',
): string[] =>
  items.filter((item) => isWrong(item)).map((item) => `${item.place} ${shown(item)}`.trim());

const fieldsOf = (definition: Definition) => partsOf(definition).flatMap(inputFieldsOf);
const ofKind = (definition: Definition, ...kinds: readonly PlacedPart['kind'][]) =>
  visiblePartsOf(definition).filter(({ kind }) => kinds.includes(kind));
const hooksOf = (definition: Definition) =>
  ofKind(definition, 'triggers').filter(({ operation }) => operation.type === 'hook');
const pollsOf = (definition: Definition) =>
  ofKind(definition, 'triggers').filter(({ operation }) => operation.type === 'polling');
const partOf = (target: string): string => target.split('.')[0] ?? '';

/** Every text that a person reads, with links. */
function textsOf(definition: Definition) {
  const ofParts = partsOf(definition).flatMap((part) => [
    { place: part.place, text: part.display.description },
    { place: part.place, text: part.display.directions ?? '' },
    ...inputFieldsOf(part).map(({ place, helpText = '' }) => ({ place, text: helpText })),
  ]);
  const ofConnection = definition.authentication.fields.map(({ key, helpText = '' }) => ({
    place: `authentication.${key}`,
    text: helpText,
  }));
  return [...ofParts, ...ofConnection];
}

const small = /^(a|an|and|as|at|by|for|from|in|of|on|or|per|the|to|with)$/;
const isTitle = (label: string): boolean =>
  label.split(' ').every((word, nth) => (nth > 0 && small.test(word)) || /^[A-Z(]/.test(word));

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** A date alone, or a time with its zone. */
const isoDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2}))?$/;

/** The values of a record by the keys of output fields, such as `screen__city`. */
const valuesIn = (record: object, path = ''): [key: string, value: unknown][] =>
  Object.entries(record).flatMap(([name, value]) => {
    const key = path + name;
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[key, value] as [string, unknown], ...(isNested ? valuesIn(value, `${key}__`) : [])];
  });

const jsTypes: Readonly<Record<string, string>> = {
  datetime: 'string',
  file: 'string',
  integer: 'number',
};

/** Values that are not of the type of their output field. */
function wrongTypes({ place, operation }: PlacedPart, record: object): string[] {
  const values = new Map(valuesIn(record));
  return (operation.outputFields ?? [])
    .filter(({ key, type = 'string', dict }) => {
      const value = values.get(key);
      if (dict || value === undefined || value === null) return false;
      const isWhole = type !== 'integer' || Number.isInteger(value);
      return typeof value !== (jsTypes[type] ?? type) || !isWhole;
    })
    .map(({ key }) => `${place}.${key}`);
}

/** Fields of the sample that no output field is of. */
function undeclared({ place, operation: { sample = {}, outputFields = [] } }: PlacedPart) {
  const declared = new Set(outputFields.map(({ key }) => key.split('__')[0]));
  return Object.keys(sample)
    .filter((name) => !declared.has(name))
    .map((name) => `${place}.${name}`);
}

const wrongDates = (place: string, record: object): string[] =>
  valuesIn(record)
    .filter(([, value]) => /^\d{4}-\d\d-\d\d|^\d\d? \w{3} \d{4}/.test(String(value)))
    .filter(([key, value]) => !key.endsWith('change_id') && !isoDate.test(String(value)))
    .filter(([, value]) => !String(value).includes(' '))
    .map(([key]) => `${place}.${key}`);

const definitionChecks: Readonly<Record<string, Rule>> = {
  'D001 asks for credentials in the connection alone': (definition) =>
    placed(fieldsOf(definition), ({ key }) => /api_?key|secret|token|password/i.test(key)),
  'D002 links to help from each field of the connection': ({ authentication }) =>
    authentication.fields
      .filter(({ computed, helpText = '' }) => !computed && !/\[[^\]]+\]\(https:/.test(helpText))
      .map(({ key }) => key),
  'D003 has a label for each connection': ({ authentication: { connectionLabel = '' } }) =>
    /\{\{.+\}\}/.test(connectionLabel) ? [] : [connectionLabel],
  'D004 offers a list for each ID': (definition) =>
    placed(
      fieldsOf(definition),
      ({ key, label = '', dynamic }) =>
        (/(^|_)id$|[a-z]Id$/.test(key) || / ID$/.test(label)) && !dynamic,
    ),
  'D005 has the trigger of each dropdown': (definition) =>
    placed(
      fieldsOf(definition),
      ({ dynamic }) => dynamic && !(partOf(dynamic) in definition.triggers),
    ),
  'D006 lists examples for each hook': (definition) =>
    placed(hooksOf(definition), ({ operation }) => !operation.performList),
  'D007 names addresses with https alone': (definition) =>
    (JSON.stringify(definition).match(/http:\/\/[^"\s]*/g) ?? []).filter(
      (url) => !url.startsWith('http://www.w3.org/'),
    ),
  'D008 writes links as Markdown': (definition) =>
    placed(textsOf(definition), ({ text }) => {
      const rest = text.replace(/\[[^\][]+\]\(https:\/\/[^\s()]+\)/g, '').replace(/`[^`]*`/g, '');
      return /https?:|\]\(/.test(rest);
    }),
  'D009 has a field in each search': (definition) =>
    placed(ofKind(definition, 'searches'), (part) => inputFieldsOf(part).length === 0),
  'D010 has an ID in the sample of each poll': (definition) =>
    placed(pollsOf(definition), ({ operation }) => operation.sample?.id === undefined),
  'D011 has no help that repeats the label': (definition) =>
    placed(
      fieldsOf(definition),
      ({ label = '', helpText = '' }) => helpText && plain(label) === plain(helpText),
    ),
  'D012 has a sample for each step': (definition) =>
    placed(
      visiblePartsOf(definition),
      ({ operation }) => Object.keys(operation.sample ?? {}).length === 0,
    ),
  'D013 has the search of each field that names one': (definition) =>
    placed(
      fieldsOf(definition),
      ({ search }) => search && !(partOf(search) in definition.searches),
    ),
  'D014 has a dropdown for each field with a search': (definition) =>
    placed(fieldsOf(definition), ({ search, dynamic }) => search && !dynamic),
  'D015 has both halves of each search or create': ({ searchOrCreates, searches, creates }) =>
    Object.values(searchOrCreates)
      .filter(({ search, create }) => !(search in searches && create in creates))
      .map(({ key }) => key),
  'D016 is more than a static hook': (definition) =>
    visiblePartsOf(definition).length > 1 ? [] : ['only one step'],
  'D017 has no static hook': (definition) =>
    placed(
      hooksOf(definition),
      ({ operation }) => !operation.performSubscribe || !operation.performUnsubscribe,
    ),
  'D018 writes labels in Title Case': (definition) =>
    placed(
      visiblePartsOf(definition),
      ({ display }) => !isTitle(display.label),
      ({ display }) => display.label,
    ),
  'D021 describes triggers as "Triggers when …."': (definition) =>
    placed(
      partsOf(definition).filter(({ kind }) => kind === 'triggers'),
      ({ display }) => !/^Triggers when .+[^.]\.$/.test(display.description),
    ),
  'D022 has static fields in each create': (definition) =>
    placed(
      ofKind(definition, 'creates'),
      ({ operation }) => !operation.inputFields?.some((field) => typeof field === 'object'),
    ),
  'D023 writes dates of samples in ISO 8601, with their zone': (definition) =>
    visiblePartsOf(definition).flatMap(({ place, operation }) =>
      wrongDates(place, operation.sample ?? {}),
    ),
  'D024 has samples as the output fields say': (definition) =>
    visiblePartsOf(definition).flatMap((part) => [
      ...wrongTypes(part, part.operation.sample ?? {}),
      ...(part.operation.outputFields ?? [])
        .filter(({ key, required }) => required && !(key in (part.operation.sample ?? {})))
        .map(({ key }) => `${part.place}.${key}`),
      ...undeclared(part),
    ]),
};

const listing = JSON.parse(read('packages/zapier-screen-advertising/listing.json')) as {
  title: string;
  description: string;
  category: string;
};
const png = readFileSync(
  join(import.meta.dirname, '../../packages/zapier-screen-advertising/icons/logo.png'),
);

const listingChecks: Readonly<Record<string, Rule>> = {
  'M001 has a category': () => (listing.category ? [] : ['none']),
  'M002 has a short description of the service, not of Zapier': () =>
    /^.{40,140}$/.test(listing.description) && !/zapier|sync/i.test(listing.description)
      ? []
      : [listing.description],
  'M004 has a square logo with transparency': () => {
    const [width, height, colors] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
    return width === height && width >= 256 && colors === 6 ? [] : [`${width} × ${height}`];
  },
};

/** By section of the requirements. */
const requirements: Readonly<Record<string, Rule>> = {
  '2.7 describes the app as "… is a …"': () =>
    listing.description.startsWith(`${listing.title} is a `) ? [] : [listing.description],
  '2.9 is written in English': (definition) =>
    placed(textsOf(definition), ({ text }) => /[^\x20-\x7e’…→–]/.test(text)),
  '4.1, 5.1, 6.2 have keys made of their labels': (definition) =>
    placed(
      visiblePartsOf(definition),
      ({ key, display }) => key !== display.label.toLowerCase().replaceAll(' ', '_'),
    ),
  '4.1, 5.1, 6.2 have nouns of one word in the singular': (definition) =>
    placed(
      partsOf(definition),
      ({ noun }) => !/^[A-Z][a-z]+$/.test(noun) || /[^s]s$/.test(noun),
      ({ noun }) => noun,
    ),
  '4.1, 5.1, 6.2 describe each step in a short sentence, with no noun in capitals and no word of the connection form':
    (definition) =>
      placed(
        visiblePartsOf(definition),
        ({ display: { description } }) =>
          !/^[A-Z][a-z]+s [^.]{5,80}\.$/.test(description) ||
          / [A-Z][a-z]/.test(description) ||
          /connector key|webhook|api/i.test(description) ||
          description.includes(listing.title),
        ({ display }) => display.description,
      ),
  '4.2.1, 5.2.1, 6.3.1 have no field called an ID': (definition) =>
    placed(fieldsOf(definition), ({ label = '' }) => / ID$/.test(label)),
  '4.2.5, 5.2.2, 6.3.5 ask for what is required first': (definition) =>
    visiblePartsOf(definition)
      .filter((part) => {
        const required = inputFieldsOf({
          ...part,
          operation: { ...part.operation, chosenFields: [] },
        }).map((field) => field.required === true);
        return required.lastIndexOf(true) > required.indexOf(false) && required.includes(false);
      })
      .map(({ place }) => place),
  '4.8, 5.5, 6.6 label each output': (definition) =>
    visiblePartsOf(definition).flatMap(({ place, operation }) =>
      (operation.outputFields ?? [])
        .filter(({ label = '' }) => !isTitle(label.replace(/ \(.*/, '')))
        .map(({ key, label }) => `${place}.${key} ${label}`),
    ),
  '4.9 has no trigger for any update': (definition) =>
    placed(ofKind(definition, 'triggers'), ({ display }) => /^Updated/.test(display.label)),
  '5.7 deletes nothing': (definition) =>
    placed(ofKind(definition, 'creates'), ({ key }) => /delete|remove/.test(key)),
  '6.2 calls searches Find': (definition) =>
    placed(
      ofKind(definition, 'searches'),
      ({ display }) => !display.label.startsWith('Find ') || !/^Finds /.test(display.description),
    ),
};

describe.each([
  [checksPage, definitionChecks],
  [checksPage, listingChecks],
  [requirementsPage, requirements],
])('%s', (_source, rules) => {
  it.each(Object.keys(rules))('%s', async (name) => {
    expect(rules[name]?.(await definitionOf('public'))).toEqual([]);
  });
});

const service = useService();
const march = { from: '2027-03-01', to: '2027-03-31' };

/** The records of a step that finds or makes something, as its history shows them. */
async function liveRecords(): Promise<[part: PlacedPart, record: Record<string, unknown>][]> {
  const zapier = await service().connect();
  const lead = { discount_type: 'percent', discount_value: 5, lead_email: 'a@example.com' };
  await zapier.create('create_coupon', { ...lead, code: 'SPRING-25' });
  const definition = await definitionOf('public');
  const parts = [...ofKind(definition, 'searches', 'creates'), ...pollsOf(definition)];
  const records: [PlacedPart, Record<string, unknown>][] = [];
  for (const part of parts.toSorted((a, b) => b.kind.localeCompare(a.kind))) {
    const bundle = {
      inputData: exampleInputOf(part),
      meta: part.kind === 'triggers' ? { isLoadingSample: true } : {},
    };
    const result = await zapier.run(`${part.place}.operation.perform`, bundle);
    const [record] = [(result as { results?: object[] }).results ?? result].flat();
    expect([part.place, record]).toEqual([part.place, expect.any(Object)]);
    records.push([part, record as Record<string, unknown>]);
  }
  return records;
}

const liveChecks: Readonly<
  Record<string, (part: PlacedPart, record: Record<string, unknown>) => readonly string[]>
> = {
  'T001 each step succeeds': () => [],
  'T002 each poll has an ID': ({ place, kind, operation }, record) => {
    const { key = 'id' } = operation.outputFields?.find(({ primary }) => primary) ?? {};
    return kind === 'triggers' && record[key] == null ? [place] : [];
  },
  'T003 dates are in ISO 8601, with their zone': ({ place }, record) => wrongDates(place, record),
  'T005 records are as the output fields say': (part, record) => wrongTypes(part, record),
};

let found: Awaited<ReturnType<typeof liveRecords>>;
beforeAll(async () => {
  found = await liveRecords();
});

it.each(Object.keys(liveChecks))(`${checksPage}: %s`, (name) => {
  expect(found.length).toBeGreaterThan(10);
  expect(found.flatMap(([part, record]) => liveChecks[name]?.(part, record) ?? [])).toEqual([]);
});

it.each([
  ['find_screen', { city: 'Nowhere' }],
  ['find_screen', { name: 'no screen has this name' }],
  ['find_screen', { near: '-50, 0', radius_km: 1 }],
  ['find_screen', { screen_id: 'scr_none' }],
  ['find_screen_availability', { screen_id: 'scr_none', ...march }],
  ['find_available_screens', { city: 'Nowhere', ...march }],
  ['find_coupon', { code: 'NONE' }],
  ['find_user', { email: 'nobody@example.com' }],
  ['find_campaign_request', { industry: 'none' }],
  ['find_campaign_request', { id: 'cr_none' }],
])(`${requirementsPage}: 6.4.1 %s %j raises no error`, async (key, inputData) => {
  const zapier = await service().connect();
  expect(await zapier.search(key, inputData)).toEqual([]);
  expect(await zapier.search(key, inputData, { isLoadingSample: true })).toEqual([]);
});
