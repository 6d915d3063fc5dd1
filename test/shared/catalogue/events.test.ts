import { describe, expect, it } from '@jest/globals';
import { events } from '@screen-advertising/core';

describe('events', () => {
  it.each(Object.entries(events))('%s is found by its own name and has a sample', (name, event) => {
    expect(event.name).toBe(name);
    expect(event.title).toMatch(/^([A-Z][a-z]+ ?)+$/);
    expect(event.description).toMatch(/^Triggers when .*\.$/);
    expect(Object.keys(event.sample).length).toBeGreaterThan(0);
  });
});
