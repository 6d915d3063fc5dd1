import { writeSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { seed, tier } from '../../support/tier.ts';
import { runModel } from './model.ts';
import { openStage } from './scene.ts';

const runs = { everyday: 1, full: 3, nightly: 300 }[tier];
const isShort = tier === 'everyday';

it(`overlapping requests lose no event, and deliver none that was not asked for, whatever process is killed, in ${runs} runs`, async () => {
  const stage = await openStage();
  const violations: string[] = [];
  try {
    for (let one = seed; one < seed + runs; one += 1) {
      const result = await runModel(stage, {
        seed: one,
        operations: isShort ? 12 : 20,
        kills: 1,
        pauses: !isShort && one % 10 === 0,
      });
      writeSync(1, `\nLife of subscriptions: ${JSON.stringify(result)}\n`);
      expect(result.figures.accepted).toBeGreaterThan(0);
      violations.push(...result.violations.map((text) => `seed ${one}: ${text}`));
    }
  } finally {
    violations.push(...(await stage.processes.stop()));
  }
  expect(violations).toEqual([]);
});
