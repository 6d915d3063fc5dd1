import { writeSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { seed, tier } from '../../support/tier.ts';
import { runModel } from './model.ts';

const runs = { everyday: 1, full: 3, nightly: 300 }[tier];
const operations = tier === 'everyday' ? 12 : 30;

it.each(Array.from({ length: runs }, (_, nth) => seed + nth))(
  'no sequence of overlapping requests loses an event, or delivers one that was not asked for (seed %i)',
  async (one) => {
    const result = await runModel(one, operations);
    writeSync(1, `\nLife of subscriptions: ${JSON.stringify(result.figures)}\n`);
    expect(result.violations).toEqual([]);
    expect(result.figures.accepted).toBeGreaterThan(0);
  },
);
