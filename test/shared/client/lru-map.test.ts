import { expect, it } from '@jest/globals';
import { LruMap } from '@screen-advertising/core/platform';

const make = () => ({});

it.each([
  ['a thousand entries by default', new LruMap(), 1000],
  ['as many as it may', new LruMap(2), 2],
])('keeps %s, and drops the least recently used one', (_what, kept, max) => {
  const values = Array.from({ length: max }, (_, nth) => kept.get(`${nth}`, make));
  expect(kept.get('0', make)).toBe(values[0]);
  kept.get('new', make);
  expect(kept.get('0', make)).toBe(values[0]);
  expect(kept.get('1', make)).not.toBe(values[1]);
});

it('forgets an entry on request', () => {
  const kept = new LruMap();
  const value = kept.get('key', make);
  kept.forget('key');
  expect(kept.get('key', make)).not.toBe(value);
});
