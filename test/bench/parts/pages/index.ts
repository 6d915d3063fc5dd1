import { atLeast, atMost, type Part } from '../../lib/section.ts';
import { digits, exactly, type Spread, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker, type Worker } from '../../lib/worker.ts';
import { bytesOfPage, readingOnePage } from './one-page.ts';
import type { ReadResult, ReadTask } from './reader.ts';
import { pageSize } from './screens.ts';
import type { ListOptions } from './server.ts';

const latencyMs = 40;
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
    const overlap = await overlapOf(server, reader, rounds);
    return {
      title: 'Reading lists',
      intro: `Pages of ${pageSize} screens over the loopback. Reading a response is relative to JSON.parse of its text. Memory is the heap after garbage collection, with 4 KB screens. With latency, the reader and the service each take ${latencyMs} ms per page: 1 is a perfect overlap, 2 none.`,
      tables: [
        {
          head: ['', 'ratio'],
          rows: [
            ['reading a response beyond JSON.parse', showSpread(beyondOne(reading))],
            [`peak of the heap over ${screens} screens, in pages`, showSpread(heaps.peak)],
            [`growth of the heap over ${screens} screens, in pages`, showSpread(heaps.growth)],
            [`CPU of a page near the end to one near the 10th`, showSpread(growth)],
            ['time with latency, to a perfect overlap', showSpread(overlap)],
          ],
        },
      ],
      goals: [
        atMost('reading a response beyond JSON.parse', beyondOne(reading), 0.25),
        atMost(`peak of the heap over ${screens} screens, in pages`, heaps.peak, 3),
        atMost(`growth of the heap over ${screens} screens, in pages`, heaps.growth, 1),
        atMost(`CPU of a page near page ${pages}, to one near page 10`, growth, 1.25),
        atLeast('share of a perfect overlap', inverse(overlap), 0.8),
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
  const port = await server.ask({ pages, latencyMs: 0, moreBytes });
  await reader.ask({ port, consumeMs: 0, heapEvery: 0 });
  // The reader waits a little, so that the page ahead has come when the heap is looked at.
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
  const port = await server.ask({ pages, latencyMs: 0 });
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { cpuPerPage } = await reader.ask({ port, consumeMs: 0, heapEvery: 0 });
    const late = spreadOf(cpuPerPage.slice(-21)).median;
    ratios.push(late / spreadOf(cpuPerPage.slice(2, 23)).median);
  }
  return spreadOf(ratios);
}

async function overlapOf(server: Server, reader: Reader, rounds: number): Promise<Spread> {
  const pages = 15;
  const port = await server.ask({ pages, latencyMs });
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { ms } = await reader.ask({ port, consumeMs: latencyMs, heapEvery: 0 });
    // The first page has nothing to be fetched beside, nor has the last one.
    ratios.push(ms / ((pages + 1) * latencyMs));
  }
  return spreadOf(ratios);
}

function beyondOne(ratio: Spread | undefined): Spread | undefined {
  return ratio && { median: ratio.median - 1, low: ratio.low - 1, high: ratio.high - 1 };
}

function inverse({ median, low, high }: Spread): Spread {
  return { median: 1 / median, low: 1 / high, high: 1 / low };
}
