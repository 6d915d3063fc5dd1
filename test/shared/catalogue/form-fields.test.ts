import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { type FormField, formFields, inputJsonSchema } from '@screen-advertising/core/forms';

const field = (name: keyof typeof operations, wanted: string): FormField | undefined =>
  formFields(operations[name]).find((candidate) => candidate.name === wanted);

describe('formFields', () => {
  it('gives the fields of Create Coupon in the order of section 2.4', () => {
    const fields = formFields(operations['coupon.create']);
    expect(fields.map((field) => [field.name, field.type, field.required, field.in])).toEqual([
      ['discount_type', 'choice', true, 'body'],
      ['discount_value', 'number', true, 'body'],
      ['lead_email', 'email', true, 'body'],
      ['code', 'text', false, 'body'],
      ['max_redemptions', 'integer', false, 'body'],
      ['valid_until', 'text', false, 'body'],
      ['lead_metadata', 'json', false, 'body'],
    ]);
  });

  it('gives the fields of Get Screen Availability: dates in the query, the screen in the path', () => {
    const fields = formFields(operations['screen.availability']);
    expect(fields.map((field) => [field.name, field.type, field.required, field.in])).toEqual([
      ['screenId', 'text', true, 'path'],
      ['from', 'date', true, 'query'],
      ['to', 'date', true, 'query'],
    ]);
  });

  it('gives choices with labels for people', () => {
    expect(field('campaignRequest.list', 'status')?.choices).toEqual([
      { value: 'rejected', title: 'Rejected' },
      { value: 'abandoned', title: 'Abandoned' },
      { value: 'no_inventory', title: 'No Inventory' },
      { value: 'converted', title: 'Converted' },
    ]);
  });

  it('gives the limits of section 8', () => {
    expect(field('screen.list', 'limit')).toMatchObject({ minimum: 1, maximum: 200 });
    expect(field('coupon.create', 'max_redemptions')).toMatchObject({ minimum: 1, maximum: 1000 });
  });

  it('gives examples as a person would type them', () => {
    expect(field('coupon.create', 'discount_value')?.example).toBe('25');
    expect(field('coupon.create', 'code')?.example).toBe('SPRING-25');
    expect(field('coupon.create', 'lead_metadata')?.example).toBe('{"crm_id":"42"}');
  });

  it('gives no fields for Create Landing Link, whose fields the caller names', () => {
    expect(formFields(operations['landingLink.create'])).toEqual([]);
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
