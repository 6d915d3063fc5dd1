import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { tasks } from '@screen-advertising/core/availability';
import {
  outputFields,
  outputFieldsWithScreen,
} from '../../../packages/zapier-screen-advertising/src/lib/output-fields.ts';

describe('outputFields', () => {
  it('names the fields of a record with their types, and those that distinguish records', () => {
    expect(outputFields(operations['user.lookup'], ['user_id'])).toEqual([
      { key: 'exists', label: 'Exists', type: 'boolean' },
      { key: 'user_id', label: 'User ID', type: 'string', primary: true },
      { key: 'registered_at', label: 'Registered At', type: 'datetime' },
      { key: 'has_bookings', label: 'Has Bookings', type: 'boolean' },
      { key: 'attribution', label: 'Attribution', dict: true },
    ]);
  });

  it('names the unit of amounts, since Zapier shows nothing but the label', () => {
    const fields = outputFieldsWithScreen(tasks['screen.findAvailable'], []);
    const amounts = fields.filter(({ key }) => /price/.test(key));
    expect(amounts.map(({ label }) => label)).toEqual([
      'Price per Day in Cents',
      'Price per Day in Currency Units',
      'Total Price in Cents',
      'Total Price in Currency Units',
      'Screen Price per Day in Cents',
      'Screen Price per Day in Currency Units',
    ]);
  });
});
