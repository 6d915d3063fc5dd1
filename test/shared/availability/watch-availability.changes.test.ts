import { fc, it as property } from '@fast-check/jest';
import { describe, expect, it } from '@jest/globals';
import {
  availabilityChanges,
  type Reading,
  type SeenShares,
} from '@screen-advertising/core/availability';

const period = { from: '2027-03-01', to: '2027-03-10' };

const reading = (id: string, share: number): Reading => ({
  screen: { id, name: `At ${id}` },
  availability: { screen_id: id, ...period, available_sov_pct: share },
  share,
});

type Direction = 'rises_above' | 'falls_below' | 'either';

/** The changes when a screen goes from one share to another between two runs, watched at 10 %. */
function crossed(before: number, now: number, change: Direction = 'either') {
  const changes = availabilityChanges({ a: before }, [reading('a', now)], {
    change,
    share_pct: 10,
  });
  return changes.map((one) => one.change);
}

describe('a share of 10 %', () => {
  it.each([
    [9, 11, ['rises_above']],
    [10, 10.5, ['rises_above']],
    [0, 100, ['rises_above']],
    [11, 9, ['falls_below']],
    [10, 9.5, ['falls_below']],
    [9, 10, []],
    [11, 10, []],
    [10, 10, []],
    [5, 9, []],
    [15, 11, []],
  ])('from %d to %d: %j', (before, now, expected) => {
    expect(crossed(before, now)).toEqual(expected);
  });

  it('is watched only in the chosen direction', () => {
    expect(crossed(9, 11, 'rises_above')).toEqual(['rises_above']);
    expect(crossed(9, 11, 'falls_below')).toEqual([]);
    expect(crossed(11, 9, 'falls_below')).toEqual(['falls_below']);
    expect(crossed(11, 9, 'rises_above')).toEqual([]);
  });
});

it('a change holds the availability, the screen, the crossed share, its direction, and the previous share', () => {
  const watch = { change: 'either', share_pct: 10 } as const;
  expect(availabilityChanges({ a: 4 }, [reading('a', 25)], watch)).toEqual([
    {
      screen_id: 'a',
      ...period,
      available_sov_pct: 25,
      change: 'rises_above',
      share_pct: 10,
      previous_available_sov_pct: 4,
      screen: { id: 'a', name: 'At a' },
    },
  ]);
});

it('a screen seen for the first time has not crossed anything, whatever its ID', () => {
  const readings = ['new', '__proto__', 'constructor'].map((id) => reading(id, 50));
  expect(availabilityChanges({}, readings, { change: 'either', share_pct: 10 })).toEqual([]);
});

const looks = fc.array(fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }), {
  maxLength: 30,
});

property.prop([looks, fc.integer({ min: 0, max: 4 })])(
  'over many looks every crossing comes once: rises and falls as a walk from look to look has them',
  (shares, share_pct) => {
    let seen: SeenShares = {};
    const came: string[] = [];
    for (const share of shares) {
      // Undefined means that the screen could not be read this time.
      const readings = share === undefined ? [] : [reading('a', share)];
      const changes = availabilityChanges(seen, readings, { change: 'either', share_pct });
      came.push(...changes.map(({ change }) => String(change)));
      if (share !== undefined) seen = { ...seen, a: share };
    }
    const read = shares.filter((share) => share !== undefined);
    const walked = read.flatMap((now, at) => {
      const before = read[at - 1];
      if (before === undefined) return [];
      if (now > share_pct && !(before > share_pct)) return ['rises_above'];
      return now < share_pct && !(before < share_pct) ? ['falls_below'] : [];
    });
    expect(came).toEqual(walked);
  },
);
