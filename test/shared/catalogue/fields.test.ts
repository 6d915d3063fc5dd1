import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { type CatalogueEntry, compoundOperations } from '@screen-advertising/core/availability';
import {
  type FormField,
  formFields,
  formText,
  inputJsonSchema,
  recordFields,
} from '@screen-advertising/core/forms';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { optionalField, textField } from '../../../shared/src/catalogue/field-types.ts';
import { defineCompoundOperation } from '../../../shared/src/catalogue/operation.ts';
import { compoundNames, operationNames } from '../../support/catalogue-names.ts';

interface JsonObject {
  properties?: Record<
    string,
    { title?: string; description?: string; minimum?: number; maximum?: number; enum?: string[] }
  >;
  required?: string[];
}

const everything: CatalogueEntry[] = [
  ...operationNames.map((name) => operations[name]),
  ...compoundNames.map((name) => compoundOperations[name]),
];

const field = (name: keyof typeof operations, wanted: string): FormField | undefined =>
  formFields(operations[name]).find((candidate) => candidate.name === wanted);

describe('formFields', () => {
  it('gives the fields of Create Coupon in the order of section 2.4', () => {
    const fields = formFields(operations['coupon.create']);
    expect(fields.map((field) => [field.name, field.type, field.required, field.in])).toEqual([
      ['discount_type', 'choice', true, 'body'],
      ['discount_value', 'number', true, 'body'],
      ['lead_email', 'email', true, 'body'],
      ['code', 'code', false, 'body'],
      ['max_redemptions', 'integer', false, 'body'],
      ['valid_until', 'moment', false, 'body'],
      ['lead_metadata', 'json', false, 'body'],
    ]);
  });

  it('gives examples as a person would type them', () => {
    expect(field('coupon.create', 'discount_value')?.example).toBe('25');
    expect(field('coupon.create', 'code')?.example).toBe('SPRING-25');
    expect(field('coupon.create', 'lead_metadata')?.example).toBe('{"crm_id":"42"}');
  });

  it('gives no fields for Create Landing Link, whose fields the caller names, but their text', () => {
    expect(formFields(operations['landingLink.create'])).toEqual([]);
    expect(formText(operations['landingLink.create'])).toEqual({
      title: 'Fields',
      description: expect.stringMatching(/^The fields of the landing link by name, /),
    });
  });
});

describe.each(everything)('the fields of $name', (task) => {
  it('are those of the JSON Schema of its input', () => {
    const { properties = {}, required = [] } = inputJsonSchema(task) as JsonObject;
    const known = Object.keys(formFields(task).length > 0 ? properties : {});
    expect(formFields(task).map(({ name }) => name)).toEqual(known);
    for (const { name, ...field } of formFields(task)) {
      const { title, description, minimum, maximum, enum: values } = properties[name] ?? {};
      expect({ title, description, minimum, maximum }).toEqual({
        title: field.title,
        description: field.description,
        minimum: field.minimum,
        maximum: field.maximum,
      });
      expect(field.choices?.map(({ value }) => value)).toEqual(values);
      expect(field.required).toBe(required.includes(name));
    }
  });

  it('are those of the JSON Schema of its records', () => {
    const { properties = {} } = z.toJSONSchema(task.output) as JsonObject;
    expect(
      recordFields(task).map(({ name, title, description }) => [name, title, description]),
    ).toEqual(
      Object.entries(properties).map(([name, one]) => [name, one.title, one.description ?? '']),
    );
  });
});

describe('inputJsonSchema', () => {
  it('refuses unknown fields, for every operation whose fields are known', () => {
    for (const operation of Object.values(operations)) {
      const isOpen = operation.name === 'landingLink.create';
      expect(inputJsonSchema(operation).additionalProperties === false).toBe(!isOpen);
    }
  });
});

describe('recordFields', () => {
  it('gives fields of any content as JSON', () => {
    const byName = new Map(recordFields(operations['coupon.get']).map((one) => [one.name, one]));
    expect(byName.get('lead_metadata')).toEqual({
      name: 'lead_metadata',
      title: 'Lead Metadata',
      description: 'What you keep with the coupon',
      type: 'json',
    });
    expect(recordFields(operations['user.lookup']).at(-1)).toEqual({
      name: 'attribution',
      title: 'Attribution',
      description: 'Only present if you referred the user',
      type: 'json',
    });
  });
});

it('the compiler asks of an optional field what leaving it out does', () => {
  const { resource } = operations['coupon.get'];
  const note = textField({ title: 'Note', description: 'A note.' });
  const texts = { name: 'note.find', title: 'Find Note', description: 'Finds a note.' } as const;
  const others = {
    ...texts,
    resource,
    scopes: [],
    output: mini.looseObject({}),
    sample: {},
  } as const;
  // @ts-expect-error It does not say so.
  defineCompoundOperation({ ...others, input: mini.strictObject({ note: mini.optional(note) }) });
  const entry = defineCompoundOperation({
    ...others,
    input: mini.strictObject({ note: optionalField(note, 'widens') }),
  });
  expect(formFields(entry)).toMatchObject([{ name: 'note', widens: 'Leave It Out' }]);
});
