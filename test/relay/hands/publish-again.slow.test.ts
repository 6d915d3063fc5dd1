import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { tier } from '../../support/tier.ts';
import { start } from '../support/running-relay.ts';
import { Hub } from './hub.ts';
import { Program } from './program.ts';

const times = tier === 'nightly' ? 1_000 : 20;

it.each([
  ['about 80', 6, 50],
  ['as many as possible', 16, 0],
])(
  `a program published again ${times} times beside %s events a second gets each`,
  async (what, atOnce, pauseMs) => {
    const running = await start({ clock: 'running' });
    const hub = new Hub({ ...running, urls: [running.url], admin: running.relay });
    const program = new Program(hub, running.key.token, ['campaign.paid']);
    await program.start();
    try {
      await program.subscribe();
      const startedAt = performance.now();
      const delivering = hub.deliver(['campaign.paid'], atOnce, pauseMs);
      for (let left = times; left > 0; left -= 1) {
        await program.publishAgain();
        await wait(pauseMs / 10);
      }
      hub.end();
      await delivering;
      const seconds = (performance.now() - startedAt) / 1_000;
      await eventually(async () => !(await hub.leftToDeliver()), 'nothing is left to deliver');
      const wanted = [...hub.acknowledged.keys()].filter((number) => number >= program.from);
      const counts = [...program.accepted.values()];
      const figures = {
        events: hub.acknowledged.size,
        perSecond: Math.round(hub.acknowledged.size / seconds),
        lost: wanted.filter((number) => !program.accepted.has(number)).length,
        duplicates: counts.reduce((sum, count) => sum + count - 1, 0),
      };
      writeSync(1, `\nPublished again ${times} times, ${what}: ${JSON.stringify(figures)}\n`);
      expect(figures).toMatchObject({ lost: 0 });
      expect(wanted.length).toBeGreaterThanOrEqual(atOnce);
    } finally {
      hub.end();
      await program.stop();
    }
  },
);
