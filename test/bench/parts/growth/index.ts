import { atLeast, atMost, type Part } from '../../lib/section.ts';
import { digits, exactly } from '../../lib/spread.ts';
import { siblingPath, startWorker, type Worker } from '../../lib/worker.ts';
import { lineThrough } from './line.ts';
import type { GrowthCost, GrowthTask } from './platform.ts';
import type { Known } from './subject.ts';

interface Growth {
  readonly name: string;
  readonly requests: ReturnType<typeof lineThrough>;
  readonly cpu: ReturnType<typeof lineThrough>;
  readonly heap: ReturnType<typeof lineThrough>;
  /** Milliseconds of CPU for each count. */
  readonly cpuMs: readonly number[];
}

/** How often each operation runs for how many items, and how many before that to warm up. */
interface Amounts {
  readonly counts: readonly number[];
  readonly turns: number;
  readonly warmUp: number;
}

type Service = Worker<'known' | 'requests', Known | number>;

const part: Part = async ({ isShort }) => {
  const counts = isShort ? [10, 20, 40] : [25, 50, 100, 150, 200];
  const turns = isShort ? 1 : 2;
  // None of the counts: what it creates must not be there already.
  const warmUp = isShort ? 5 : 60;
  const service: Service = startWorker(siblingPath(import.meta.url, 'service.ts'));
  try {
    const known = (await service.ask('known')) as Known;
    const platforms = [
      await growthsOn('n8n', service, known, { counts, turns, warmUp }),
      await growthsOn('zapier', service, known, { counts, turns, warmUp }),
    ];
    const growths = platforms.flat();
    // A run of a few items is soon over, and bent by whatever else the machine does: all together.
    const fits = isShort
      ? platforms.map((all) => sumOf(all, counts).fit)
      : growths.map(({ cpu }) => cpu.fit);
    return {
      title: 'Growth',
      intro: `Every operation on both platforms for ${counts.join(', ')} items: the cost of one more item, and how straight the line is (1 is straight). ${turns > 1 ? `The cheapest of ${turns} runs counts. ` : ''}Lists return up to 20 records per item.`,
      tables: [
        {
          head: ['', 'requests an item', 'milliseconds of CPU an item', 'KB an item', 'fit of CPU'],
          rows: growths.map(({ name, requests, cpu, heap }) => [
            name,
            digits(requests.slope),
            digits(cpu.slope),
            digits(heap.slope / 1024),
            digits(cpu.fit),
          ]),
        },
      ],
      goals: [
        atMost(
          'requests an item, at most',
          exactly(Math.max(...growths.map(({ requests }) => requests.slope))),
          1,
        ),
        atLeast(
          'requests: least fit of a line',
          exactly(Math.min(...growths.map(({ requests }) => requests.fit))),
          0.999,
        ),
        atLeast('CPU: least fit of a line', exactly(Math.min(...fits)), 0.9),
      ],
    };
  } finally {
    service.stop();
  }
};

export default part;

function sumOf(growths: readonly Growth[], counts: readonly number[]) {
  return lineThrough(
    counts.map((count, index) => [
      count,
      growths.reduce((sum, { cpuMs }) => sum + (cpuMs[index] ?? Number.NaN), 0),
    ]),
  );
}

async function growthsOn(
  platform: string,
  service: Service,
  known: Known,
  { counts, turns, warmUp }: Amounts,
): Promise<Growth[]> {
  const worker = startWorker<GrowthTask, string[] | GrowthCost>(
    siblingPath(import.meta.url, 'platform.ts'),
    [platform],
  );
  try {
    const names = (await worker.ask({ known, turn: 0, count: 0 })) as string[];
    const growths: Growth[] = [];
    for (const [subject, name] of names.entries()) {
      const costs = counts.map((count) => ({ count, requests: 0, cpuMs: Infinity, heapBytes: 0 }));
      for (let turn = 0; turn < turns; turn += 1) {
        // Warm up with separate items.
        await worker.ask({ known, subject, turn, count: warmUp });
        for (const cost of costs) {
          const before = (await service.ask('requests')) as number;
          const { cpuMs, heapBytes } = (await worker.ask({
            known,
            subject,
            turn,
            count: cost.count,
          })) as GrowthCost;
          cost.requests = ((await service.ask('requests')) as number) - before;
          if (cpuMs < cost.cpuMs) Object.assign(cost, { cpuMs, heapBytes });
        }
      }
      const lineOf = (value: (cost: (typeof costs)[number]) => number) =>
        lineThrough(costs.map((cost) => [cost.count, value(cost)]));
      growths.push({
        name,
        requests: lineOf(({ requests }) => requests),
        cpu: lineOf(({ cpuMs }) => cpuMs),
        heap: lineOf(({ heapBytes }) => heapBytes),
        cpuMs: costs.map(({ cpuMs }) => cpuMs),
      });
    }
    return growths;
  } finally {
    worker.stop();
  }
}
