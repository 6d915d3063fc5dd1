import { describe, expect, it } from '@jest/globals';
import { operations, recordFields } from '@screen-advertising/core';

describe('recordFields', () => {
  it('gives the known fields of a record with their words and types', () => {
    const fields = recordFields(operations['user.lookup']);
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['exists', 'boolean'],
      ['user_id', 'text'],
      ['registered_at', 'text'],
      ['has_bookings', 'boolean'],
      ['attribution', 'json'],
    ]);
  });

  it('reads a field that may be null by its other type', () => {
    const price = recordFields(operations['screen.get']).find(
      ({ name }) => name === 'price_per_day_cents',
    );
    expect(price).toEqual({
      name: 'price_per_day_cents',
      title: 'Price per Day',
      description: 'In cents',
      type: 'number',
    });
  });

  it.each(Object.values(operations))('knows a title for every field of $name', (operation) => {
    const fields = recordFields(operation);
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ name, title }) => name === title)).toEqual([]);
  });
});
