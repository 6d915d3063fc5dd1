import { describe, expect, it } from '@jest/globals';
import { assumptions } from '@screen-advertising/core/contract';

describe.each(Object.entries(assumptions))('the assumption %s', (_name, assumption) => {
  it('names sections of the contract', () => {
    expect(assumption.section).toMatch(/^\d+(\.\d+)?(, \d+(\.\d+)?)*$/);
  });

  it('states a question, an assumption, a reason and a change in whole sentences', () => {
    expect(assumption.question).toMatch(/^[A-Z].*\?$/s);
    for (const words of [assumption.assumed, assumption.why, assumption.change]) {
      expect(words).toMatch(/\S.*\.$/s);
    }
  });

  it('accepts each variant once, the assumed one first', () => {
    expect(assumption.accepted.length).toBeGreaterThan(0);
    expect(new Set(assumption.accepted).size).toBe(assumption.accepted.length);
  });
});
