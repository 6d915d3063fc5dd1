import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atMost, type Part } from '../../lib/section.ts';
import { digits, exactly, showSpread } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import type { ListOptions } from '../pages/server.ts';
import type { ReadResult, ReadTask } from './reader.ts';

const pages = 100;

const part: Part = async ({ isShort }) => {
  const path = siblingPath(import.meta.url, '../pages/server.ts');
  const server = startWorker<ListOptions, number>(path);
  const reader = startWorker<ReadTask, ReadResult>(siblingPath(import.meta.url, 'reader.ts'));
  try {
    const port = await server.ask({ pages, latencyMs: 0 });
    const runs = await inRounds(
      {
        list: () => reader.ask({ port, isNear: false }),
        near: () => reader.ask({ port, isNear: true }),
      },
      isShort ? 5 : 15,
      2,
    );
    const cpu = Object.fromEntries(
      Object.entries(runs).map(([name, all]) => [name, all.map(({ cpuMs }) => cpuMs)]),
    );
    const ratio = ratiosTo('list', cpu).near;
    const [list, near] = [runs.list?.[0], runs.near?.[0]];
    const more = (near?.requests ?? Number.NaN) - (list?.requests ?? Number.NaN);
    return {
      title: 'Finding screens near a place',
      intro: `${digits(near?.screens ?? 0)} screens over the loopback, all within the radius, compared with listing them.`,
      tables: [
        {
          head: ['', 'CPU, to listing', 'requests'],
          rows: [['find nearby screens', showSpread(ratio), digits(near?.requests ?? 0)]],
        },
      ],
      goals: [
        atMost('screens near a place: CPU, to listing them', ratio, 1.2),
        atMost('screens near a place: more requests than listing them', exactly(more), 0),
      ],
    };
  } finally {
    reader.stop();
    server.stop();
  }
};

export default part;
