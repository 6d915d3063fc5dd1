import { describe, expect, it } from '@jest/globals';
import { events, type OperationName, operations } from '@screen-advertising/core';
import {
  type CatalogueEntry,
  type CompoundOperationName,
  compoundOperations,
} from '@screen-advertising/core/availability';
import { type FormField, formFields, recordFields } from '@screen-advertising/core/forms';
import { definitionOf, schemaErrorsOf } from './app/definition.ts';
import {
  type Definition,
  type InputField,
  inputFieldsOf,
  type PlacedPart,
  partsOf,
  visiblePartsOf,
} from './definition-lint/definition.ts';

const keyOf = (label: string): string => label.toLowerCase().replaceAll(' ', '_');

/** Where a person finds a catalogue entry that Zapier offers in a different form. */
const ownPlaces: Partial<Record<OperationName | CompoundOperationName, string>> = {
  'screen.availability': 'searches.get_screen_availability',
  'screen.findAvailable': 'searches.find_available_screens',
  'screen.availabilityChanged': 'triggers.screen_availability_changed',
};

/** Zapier turns the pages itself, and the names of these fields are chosen by a person. */
const notInForms = /^(limit|cursor)$/;

const partAt = (definition: Definition, place: string): PlacedPart | undefined =>
  partsOf(definition).find((part) => part.place === place);

const partOf = (
  definition: Definition,
  { name, title, resource }: CatalogueEntry,
): PlacedPart | undefined =>
  partAt(definition, ownPlaces[name as OperationName] ?? `creates.${keyOf(title)}`) ??
  partAt(definition, `searches.find_${keyOf(resource.title)}`);

const choicesOf = (field: InputField | FormField | undefined): unknown =>
  (field?.choices as { value: string }[] | undefined)?.map(({ value }) => value);

describe.each(Object.values({ ...operations, ...compoundOperations }))('$name', (operation) => {
  it('is in both variants, with all fields, choices, and known fields of its records', async () => {
    expect(partOf(await definitionOf('private'), operation)).toBeDefined();
    const part = partOf(await definitionOf('public'), operation);
    const fields = formFields(operation).filter(({ name }) => !notInForms.test(name));
    const offered = part ? inputFieldsOf(part) : [];
    if (operation.name === 'landingLink.create') {
      expect(offered).toContainEqual(expect.objectContaining({ key: 'fields', dict: true }));
    } else {
      const found = fields.map(({ name }) => offered.find(({ key }) => key === name));
      expect(found.map((field) => [field?.key, choicesOf(field)])).toEqual(
        fields.map((field) => [field.name, choicesOf(field)]),
      );
    }
    const output = (part?.operation.outputFields ?? []).map(({ key }) => key.replace(/__.*/, ''));
    expect(output).toEqual(expect.arrayContaining(recordFields(operation).map(({ name }) => name)));
  });
});

describe.each(Object.values(events))('$name', ({ name, title, description }) => {
  const key = name.replaceAll('.', '_');
  const manualKey = `${key}_manual_setup`;
  const hook = { type: 'hook', sample: { type: name } };

  it('has an instant trigger in both variants, and one to set up by hand in the private one', async () => {
    for (const variant of ['private', 'public'] as const) {
      expect((await definitionOf(variant)).triggers[key]).toMatchObject({
        display: {
          label: title,
          description: expect.stringMatching(`^${description} Instant, if .* Connector Key`),
        },
        operation: {
          ...hook,
          performSubscribe: expect.anything(),
          performUnsubscribe: expect.anything(),
          performList: expect.anything(),
        },
      });
    }
    expect((await definitionOf('private')).triggers[manualKey]).toMatchObject({
      display: {
        label: `${title} (Manual Setup)`,
        description: expect.stringMatching(`^${description} Needs no Connector Key: `),
      },
      operation: hook,
    });
    expect((await definitionOf('public')).triggers).not.toHaveProperty(manualKey);
  });
});

it('the connection asks for a signing secret only where a person registers the address of a trigger', async () => {
  const fieldsOf = async (variant: 'private' | 'public') =>
    (await definitionOf(variant)).authentication.fields.map(({ key }) => key);
  expect(await fieldsOf('private')).toContain('signing_secret');
  expect(await fieldsOf('public')).not.toContain('signing_secret');
  expect(await fieldsOf('public')).toEqual(
    expect.arrayContaining(['relay_base_url', 'connector_key']),
  );
});

it('Zapier keeps each connection to the limit of the service, and searches of many requests to a few runs', async () => {
  const scope = ['auth'];
  expect(await definitionOf('public')).toMatchObject({
    throttle: { window: 60, limit: 600, scope },
    searches: {
      find_available_screens: { operation: { throttle: { window: 60, limit: 5, scope } } },
    },
    searchOrCreates: { find_coupon: { search: 'find_coupon', create: 'create_coupon' } },
    flags: { cleanInputData: false },
  });
});

const labelsOf = (part: PlacedPart) =>
  [...inputFieldsOf(part), ...(part.operation.outputFields ?? [])].map(({ key, label = '' }) => {
    return { place: `${part.place}.${key}`, key, text: label };
  });

const unitOf = (key: string): string =>
  /_(cents|pct)$/.exec(key)?.[1]?.replace('pct', 'percent') ?? '';

/** Zapier's own checks run when the app is submitted. These are for what they do not look at. */
describe.each(['private', 'public'] as const)('the %s variant', (variant) => {
  it('passes Zapier’s schema', async () => {
    expect(await schemaErrorsOf(variant)).toEqual([]);
  });

  it('names the unit of each amount and share, and says what cannot be undone', async () => {
    const parts = visiblePartsOf(await definitionOf(variant));
    const labels = parts.flatMap(labelsOf);
    const isWithoutUnit = ({ key, text }: (typeof labels)[number]) =>
      !text.toLowerCase().includes(unitOf(key)) && !text.endsWith('in Currency Units');
    expect(labels.filter(isWithoutUnit)).toEqual([]);
    const removing = parts.filter(({ key }) => /^(revoke|delete|remove|cancel)_/.test(key));
    expect(removing.map(({ display }) => display.description)).toEqual(
      removing.map(() => expect.stringContaining('cannot be undone')),
    );
  });

  it('has a sample of each step with the fields that the step declares, and with values of their types', async () => {
    const typeOf: Readonly<Record<string, string>> = { datetime: 'string', integer: 'number' };
    const parts = visiblePartsOf(await definitionOf(variant));
    const wrong = parts.flatMap(({ place, operation: { sample = {}, outputFields = [] } }) => {
      const declared = new Map(outputFields.map((field) => [field.key.split('__')[0], field]));
      return Object.entries(sample)
        .filter(([name, value]) => {
          const { key, type = 'object', dict } = declared.get(name) ?? {};
          const isWhole = key === name && !dict;
          return !key || (isWhole && typeof value !== (typeOf[type] ?? type));
        })
        .map(([name]) => `${place}.${name}`);
    });
    expect(wrong).toEqual([]);
  });
});
