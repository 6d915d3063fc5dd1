import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { inputFields } from '../../../packages/zapier-screen-advertising/src/lib/input-fields.ts';

describe('inputFields', () => {
  it('gives each kind of field the matching Zapier type', () => {
    const fields = [
      ...inputFields(operations['coupon.create']),
      ...inputFields(operations['screen.availability']),
    ];
    expect(Object.fromEntries(fields.map(({ key, type }) => [key, type]))).toEqual({
      discount_type: 'string',
      discount_value: 'number',
      lead_email: 'string',
      code: 'string',
      max_redemptions: 'integer',
      valid_until: 'string',
      lead_metadata: 'string',
      screenId: 'string',
      from: 'datetime',
      to: 'datetime',
    });
  });

  it('takes JSON as keys and values', () => {
    const metadata = inputFields(operations['coupon.create']).at(-1);
    expect(metadata).toMatchObject({ key: 'lead_metadata', dict: true });
    expect(metadata).not.toHaveProperty('placeholder');
  });

  it('leaves out fields on request, and adds what only Zapier can do', () => {
    const fields = inputFields(operations['screen.availability'], {
      omit: ['from', 'to'],
      extras: { screenId: { dynamic: 'screen_list.id.name' } },
    });
    expect(fields).toEqual([
      expect.objectContaining({ key: 'screenId', label: 'Screen', dynamic: 'screen_list.id.name' }),
    ]);
  });
});
