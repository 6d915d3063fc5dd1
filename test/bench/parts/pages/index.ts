import { atMost, type Part } from '../../lib/section.ts';
import { digits, exactly, type Spread, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker, type Worker } from '../../lib/worker.ts';
import { bytesOfPage, readingOnePage } from './one-page.ts';
import type { ReadResult, ReadTask } from './reader.ts';
import { pageSize } from './screens.ts';
import type { ListOptions } from './server.ts';

/** For the look at the heap: beside a megabyte, what the engine itself keeps does not count. */
const moreBytes = 4096;

const part: Part = async ({ isShort }) => {
  const pages = isShort ? 100 : 500;
  const screens = digits(pages * pageSize);
  const rounds = isShort ? 3 : 5;
  const reading = await readingOnePage(isShort ? 5 : 21);
  const server = startWorker<ListOptions, number>(siblingPath(import.meta.url, 'server.ts'));
  const reader = startWorker<ReadTask, ReadResult>(siblingPath(import.meta.url, 'reader.ts'));
  try {
    const heaps = await heapsOf(server, reader, pages);
    const growth = await growthOf(server, reader, pages, rounds);
    return {
      title: 'Reading lists',
      intro: `Pages of ${pageSize} screens over the loopback. Reading a response is relative to JSON.parse of its text. Memory is the heap after garbage collection, with 4 KB screens.`,
      tables: [
        {
          head: ['', 'ratio'],
          rows: [
            ['reading a response beyond JSON.parse', showSpread(beyondOne(reading))],
            [`peak of the heap over ${screens} screens, in pages`, showSpread(heaps.peak)],
            [`growth of the heap over ${screens} screens, in pages`, showSpread(heaps.growth)],
            [`CPU of a page near the end to one near the 10th`, showSpread(growth)],
          ],
        },
      ],
      goals: [
        atMost('reading a response beyond JSON.parse', beyondOne(reading), 0.25),
        atMost(`peak of the heap over ${screens} screens, in pages`, heaps.peak, 3),
        atMost(`growth of the heap over ${screens} screens, in pages`, heaps.growth, 1),
        atMost(`CPU of a page near page ${pages}, to one near page 10`, growth, 1.25),
      ],
    };
  } finally {
    reader.stop();
    server.stop();
  }
};

export default part;

type Server = Worker<ListOptions, number>;
type Reader = Worker<ReadTask, ReadResult>;

/** Heaps in pages: what a list holds at its peak, and how much more near its end than near its start. */
async function heapsOf(server: Server, reader: Reader, pages: number) {
  const port = await server.ask({ pages, moreBytes });
  await reader.ask({ port, consumeMs: 0, heapEvery: 0 });
  const task = { port, consumeMs: 5, heapEvery: pages / 50 };
  const { heaps, heapAfter } = await reader.ask(task);
  const page = bytesOfPage(moreBytes);
  const growth = spreadOf(heaps.slice(-11, -1)).median - spreadOf(heaps.slice(0, 10)).median;
  return {
    peak: exactly((Math.max(...heaps) - heapAfter) / page),
    growth: exactly(growth / page),
  };
}

async function growthOf(
  server: Server,
  reader: Reader,
  pages: number,
  rounds: number,
): Promise<Spread> {
  const port = await server.ask({ pages });
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { cpuPerPage } = await reader.ask({ port, consumeMs: 0, heapEvery: 0 });
    const late = spreadOf(cpuPerPage.slice(-21)).median;
    ratios.push(late / spreadOf(cpuPerPage.slice(2, 23)).median);
  }
  return spreadOf(ratios);
}

function beyondOne(ratio: Spread | undefined): Spread | undefined {
  return ratio && { median: ratio.median - 1, low: ratio.low - 1, high: ratio.high - 1 };
}
