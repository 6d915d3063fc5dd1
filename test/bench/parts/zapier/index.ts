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
const bare = 'this app with bare z.request';
const ours = 'this app';

const part: Part = async ({ isShort }) => {
  await buildApp('public');
  const starts = await timeStarts(isShort ? 3 : 15);
  const actions = await timeActions(isShort ? 5 : 25);
  const startRatios = ratiosTo(core, starts);
  const actionRatios = ratiosTo(bare, actions);
  const zipped = await zippedBytes();
  return {
    title: 'Zapier',
    intro:
      "Cold start: CPU until the app can take its first event; 1 is loading `zapier-platform-core` alone. Action: CPU to find a user through Zapier's handler; 1 is a search in the same app that only calls `z.request`. The small session app has the parts of Zapier's `session-auth` example and that search. Zapier copies the whole definition for every event, so larger apps cost more. Zipped: what the app adds to `zapier-platform-core`.",
    tables: [
      {
        head: ['', 'cold start', 'milliseconds here', 'action', 'KB zipped'],
        rows: Object.keys(apps).map((name) => [
          name,
          showSpread(startRatios[name]),
          starts[name] ? digits(spreadOf(starts[name]).median) : '',
          showSpread(actionRatios[name]),
          name === ours ? digits(zipped / 1024) : '',
        ]),
      },
    ],
    goals: [
      atMost(`cold start, to ${core}`, startRatios[ours], 1.25),
      atMost(`cold start, to the ${example}`, ratiosTo(example, starts)[ours], 1.25),
      atMost('action, to bare z.request in the same app', actionRatios[ours], 1.25),
      atMost('KB zipped beside zapier-platform-core', exactly(zipped / 1024), 60),
    ],
  };
};

export default part;

/** Each start gets a separate process. */
async function timeStarts(rounds: number): Promise<Record<string, number[]>> {
  const contestants = [core, example, ours].map((name) => [
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

async function timeActions(rounds: number): Promise<Record<string, number[]>> {
  const server = startWorker<string, number>(siblingPath(import.meta.url, '../clients/server.ts'));
  const port = await server.ask('listen');
  const workers = [example, bare, ours].map((name) => ({
    name,
    worker: startWorker<{ port: number; count: number }, number>(
      siblingPath(import.meta.url, 'action.ts'),
      [name],
    ),
  }));
  try {
    for (const { worker } of workers) await worker.ask({ port, count: 300 });
    const contestants = workers.map(({ name, worker }) => [
      name,
      () => worker.ask({ port, count: 100 }),
    ]);
    return await inRounds<number>(Object.fromEntries(contestants), rounds);
  } finally {
    for (const { worker } of workers) worker.stop();
    server.stop();
  }
}

/** Bytes that the bundled app takes in the zip that is uploaded. */
async function zippedBytes(): Promise<number> {
  const file = '../../../../packages/zapier-screen-advertising/build/public/index.js';
  const text = await readFile(siblingPath(import.meta.url, file));
  return (await promisify(deflateRaw)(text, { level: 9 })).length;
}
