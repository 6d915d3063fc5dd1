import { describe, expect, it } from '@jest/globals';
import { events } from '@screen-advertising/core';

describe('events', () => {
  it('are those of section 6', () => {
    expect(Object.keys(events)).toEqual([
      'user.registered',
      'campaign.paid',
      'coupon.redeemed',
      'campaign_request.created',
      'campaign_request.rejected',
    ]);
  });

  it.each(Object.entries(events))('%s is found by its own name and has a sample', (name, event) => {
    expect(event.name).toBe(name);
    expect(event.title).toMatch(/^([A-Z][a-z]+ ?)+$/);
    expect(event.description).toMatch(/^Triggers when .*\.$/);
    expect(Object.keys(event.sample).length).toBeGreaterThan(0);
  });
});
