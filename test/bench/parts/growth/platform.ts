import { answerParent } from '../../lib/worker.ts';
import { n8nSubjects } from './n8n.ts';
import type { Item, Known, Subject } from './subject.ts';
import { zapierSubjects } from './zapier.ts';

export interface GrowthTask {
  readonly known: Known;
  /** Index of the subject; undefined for their names. */
  readonly subject?: number;
  readonly count: number;
}

export interface GrowthCost {
  /** Milliseconds of the processor. */
  readonly cpuMs: number;
  /** Bytes of the heap while everything that came is held. */
  readonly heapBytes: number;
}

const makers = { n8n: n8nSubjects, zapier: zapierSubjects };
const [platform = ''] = process.argv.slice(2);
let subjects: Subject[] = [];
let current: number | undefined;

answerParent(async ({ known, subject, count }: GrowthTask): Promise<string[] | GrowthCost> => {
  // Made anew for each subject, or the limit of 600 a minute would be kept over all of them.
  if (subjects.length === 0 || subject !== current) {
    subjects = await makers[platform as keyof typeof makers](known);
    current = subject;
  }
  if (subject === undefined) return subjects.map(({ name }) => name);
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const cpu = process.cpuUsage();
  const held = await subjects[subject]?.run(itemsOf(count));
  const { user, system } = process.cpuUsage(cpu);
  globalThis.gc?.();
  const heapBytes = held === undefined ? 0 : process.memoryUsage().heapUsed - heap;
  return { cpuMs: (user + system) / 1000, heapBytes };
});

/** The same ones for the same count, so that what one operation created another one finds. */
function itemsOf(count: number): Item[] {
  return Array.from({ length: count }, (_, index) => ({
    email: `lead-${platform}-${count}-${index}@x.example`,
    code: `${platform}-${count}-${index}`.toUpperCase(),
  }));
}
