import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { recordFields } from '@screen-advertising/core/forms';

describe('recordFields', () => {
  it('gives the fields of a screen in the order of section 2.1', () => {
    const fields = recordFields(operations['screen.get']);
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'text'],
      ['name', 'text'],
      ['description', 'text'],
      ['country', 'text'],
      ['city', 'text'],
      ['address', 'text'],
      ['latitude', 'number'],
      ['longitude', 'number'],
      ['orientation', 'text'],
      ['resolution_width', 'number'],
      ['resolution_height', 'number'],
      ['price_per_day_cents', 'number'],
      ['ad_sov_pct', 'number'],
      ['thumbnail_url', 'text'],
      ['venue_type', 'text'],
      ['is_active', 'boolean'],
      ['created_at', 'text'],
    ]);
  });

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
