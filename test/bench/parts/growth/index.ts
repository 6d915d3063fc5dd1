import { atLeast, atMost, type Part } from '../../lib/section.ts';
import { digits, exactly } from '../../lib/spread.ts';
import { besides, startWorker, type Worker } from '../../lib/worker.ts';
import { lineThrough } from './line.ts';
import type { GrowthCost, GrowthTask } from './platform.ts';
import type { Known } from './subject.ts';

interface Growth {
  readonly name: string;
  readonly requests: ReturnType<typeof lineThrough>;
  readonly cpu: ReturnType<typeof lineThrough>;
  readonly heap: ReturnType<typeof lineThrough>;
}

type Service = Worker<'known' | 'requests', Known | number>;

const part: Part = async ({ isShort }) => {
  const counts = isShort ? [10, 20, 40] : [25, 50, 100, 150, 200];
  const service: Service = startWorker(besides(import.meta.url, 'service.ts'));
  try {
    const known = (await service.ask('known')) as Known;
    const growths = [
      ...(await growthsOn('n8n', service, known, counts)),
      ...(await growthsOn('zapier', service, known, counts)),
    ];
    const worst = (value: (growth: Growth) => number) => exactly(Math.min(...growths.map(value)));
    return {
      title: 'Growth',
      intro: `Every operation on both platforms for ${counts.join(', ')} items: how much one more item costs, and how straight the line is (1 is straight). Lists give 20 records an item, or all that there are.`,
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
          worst(({ requests }) => requests.fit),
          0.999,
        ),
        // A run of a few items is soon over, so whatever else the machine does bends the line.
        atLeast(
          'CPU: least fit of a line',
          worst(({ cpu }) => cpu.fit),
          isShort ? 0.3 : 0.9,
        ),
      ],
    };
  } finally {
    service.stop();
  }
};

export default part;

async function growthsOn(
  platform: string,
  service: Service,
  known: Known,
  counts: readonly number[],
): Promise<Growth[]> {
  const worker = startWorker<GrowthTask, string[] | GrowthCost>(
    besides(import.meta.url, 'platform.ts'),
    [platform],
  );
  try {
    const names = (await worker.ask({ known, count: 0 })) as string[];
    const growths: Growth[] = [];
    for (const [subject, name] of names.entries()) {
      const costs: { count: number; requests: number; cost: GrowthCost }[] = [];
      // The first run is not counted: it warms up, with items of its own.
      for (const count of [15, ...counts]) {
        const before = (await service.ask('requests')) as number;
        const cost = (await worker.ask({ known, subject, count })) as GrowthCost;
        const requests = ((await service.ask('requests')) as number) - before;
        if (count !== 15) costs.push({ count, requests, cost });
      }
      growths.push({
        name,
        requests: lineThrough(costs.map(({ count, requests }) => [count, requests])),
        cpu: lineThrough(costs.map(({ count, cost }) => [count, cost.cpuMs])),
        heap: lineThrough(costs.map(({ count, cost }) => [count, cost.heapBytes])),
      });
    }
    return growths;
  } finally {
    worker.stop();
  }
}
