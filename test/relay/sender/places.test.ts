import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Lease } from '../../../packages/relay/src/sender/leases.ts';
import { Places } from '../../../packages/relay/src/sender/places.ts';

let now: number;
beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const lease = (subscription: number, failuresInARow = 0, token = 1) =>
  ({ subscription, failuresInARow, token }) as Lease;

const hold = (places: Places, leases: readonly Lease[]) => {
  for (const one of leases) places.take(one, Promise.resolve());
  return leases;
};

describe('ten places', () => {
  it('are half for subscribers that fail', () => {
    const places = new Places(10);
    hold(
      places,
      [1, 2, 3].map((number) => lease(number, 4)),
    );
    expect([places.free, places.freeForSlow]).toEqual([7, 2]);
  });

  it('stay free for others when all subscribers turn out to be slow', () => {
    let freed = 0;
    const places = new Places(10, () => {
      freed += 1;
    });
    const leases = hold(
      places,
      Array.from({ length: 10 }, (_, number) => lease(number)),
    );
    expect([places.free, places.freeForSlow]).toEqual([0, 5]);
    for (const one of leases) places.responds(one, true);
    expect([places.free, places.freeForSlow, freed]).toEqual([5, 0, 10]);
    for (const one of leases) places.give(one);
    expect([places.free, places.freeForSlow]).toEqual([10, 5]);
    expect([...places.slow]).toHaveLength(10);
  });

  it('take a subscriber that responds at once as before', () => {
    const places = new Places(10);
    const [one = lease(0)] = hold(places, [lease(1)]);
    places.responds(one, true);
    expect(places.isKnownSlow(lease(1))).toBe(true);
    places.responds(one, false);
    expect([places.isKnownSlow(lease(1)), places.freeForSlow]).toEqual([false, 5]);
  });
});

describe('a place', () => {
  it('is returned after a second when no other is free', () => {
    const places = new Places(2);
    const [one = lease(0)] = hold(places, [lease(1), lease(2)]);
    now = 999;
    expect(places.mustYield(one)).toBe(false);
    now = 1_000;
    expect(places.mustYield(one)).toBe(true);
    places.give(lease(2));
    expect(new Places(2).mustYield(one)).toBe(false);
  });

  it('of a slow subscriber is returned when no other is free for slow ones', () => {
    const places = new Places(10);
    const [one = lease(0), other = lease(0)] = hold(
      places,
      [1, 2].map((number) => lease(number)),
    );
    const failing = hold(
      places,
      [3, 4, 5, 6].map((number) => lease(number, 1)),
    );
    places.responds(one, true);
    now = 1_000;
    expect([places.mustYield(one), places.mustYield(other)]).toEqual([true, false]);
    for (const each of failing) places.give(each);
    expect(places.mustYield(one)).toBe(false);
  });
});
