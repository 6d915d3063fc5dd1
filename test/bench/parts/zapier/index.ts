import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { buildApp } from '../../../../packages/zapier-screen-advertising/scripts/build-app.ts';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atMost, type Part } from '../../lib/section.ts';
import { digits, exactly, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import { apps } from './apps.ts';

const core = 'zapier-platform-core alone';
const example = 'small session app';
const ours = 'this app';

const part: Part = async ({ isShort }) => {
  await buildApp('public');
  const starts = await timeStarts(isShort ? 3 : 15);
  const startRatios = ratiosTo(core, starts);
  const zipped = await zippedBytes();
  return {
    title: 'Zapier',
    intro:
      "Cold start: CPU until the app can take its first event; 1 is loading `zapier-platform-core` alone. The small session app has the parts of Zapier's `session-auth` example and a search. Zipped: what the app adds to `zapier-platform-core`.",
    tables: [
      {
        head: ['', 'cold start', 'milliseconds here', 'KB zipped'],
        rows: Object.keys(apps).map((name) => [
          name,
          showSpread(startRatios[name]),
          starts[name] ? digits(spreadOf(starts[name]).median) : '',
          name === ours ? digits(zipped / 1024) : '',
        ]),
      },
    ],
    goals: [
      atMost(`cold start, to ${core}`, startRatios[ours], 1.25),
      atMost(`cold start, to the ${example}`, ratiosTo(example, starts)[ours], 1.25),
      atMost('KB zipped beside zapier-platform-core', exactly(zipped / 1024), 60),
    ],
  };
};

export default part;

/** Each start gets a separate process. */
async function timeStarts(rounds: number): Promise<Record<string, number[]>> {
  const contestants = Object.keys(apps).map((name) => [
    name,
    async () => {
      const worker = startWorker<string, number>(siblingPath(import.meta.url, 'start.ts'), [name]);
      try {
        return await worker.ask('start');
      } finally {
        worker.stop();
      }
    },
  ]);
  return inRounds<number>(Object.fromEntries(contestants), rounds, 0);
}

/** Bytes that the bundled app takes in the zip that is uploaded. */
async function zippedBytes(): Promise<number> {
  const file = '../../../../packages/zapier-screen-advertising/build/public/index.js';
  const text = await readFile(siblingPath(import.meta.url, file));
  return (await promisify(deflateRaw)(text, { level: 9 })).length;
}
