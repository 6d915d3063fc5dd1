import { writeSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { seed, tier } from '../../support/tier.ts';
import { runModel } from './model.ts';

const runs = { everyday: 1, full: 3, nightly: 300 }[tier];
const isShort = tier === 'everyday';

it.each(Array.from({ length: runs }, (_, nth) => seed + nth))(
  'no sequence of overlapping requests loses an event, or delivers one that was not asked for, whatever process is killed (seed %i)',
  async (one) => {
    const result = await runModel({
      seed: one,
      operations: isShort ? 12 : 40,
      kills: isShort ? 1 : 2,
      pauses: !isShort && one % 5 === 0,
    });
    writeSync(1, `\nLife of subscriptions: ${JSON.stringify(result)}\n`);
    expect(result.violations).toEqual([]);
    expect(result.figures.accepted).toBeGreaterThan(0);
  },
);
