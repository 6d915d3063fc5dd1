import { respondToParent } from '../../lib/worker.ts';
import { n8nSubjects } from './n8n.ts';
import type { Item, Known, Subject } from './subject.ts';
import { zapierSubjects } from './zapier.ts';

export interface GrowthTask {
  readonly known: Known;
  /** Index of the subject; undefined for their names. */
  readonly subject?: number;
  /** The same again, with other items. */
  readonly turn: number;
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
let current = '';

respondToParent(
  async ({ known, subject, turn, count }: GrowthTask): Promise<string[] | GrowthCost> => {
    // New subjects each turn, or all turns would share the limit of 600 requests per minute.
    const wanted = `${subject} ${turn}`;
    if (wanted !== current) {
      subjects = await makers[platform as keyof typeof makers](known);
      current = wanted;
    }
    if (subject === undefined) return subjects.map(({ name }) => name);
    globalThis.gc?.();
    const heap = process.memoryUsage().heapUsed;
    const cpu = process.cpuUsage();
    const held = await subjects[subject]?.run(itemsOf(turn, count));
    const { user, system } = process.cpuUsage(cpu);
    globalThis.gc?.();
    const heapBytes = held === undefined ? 0 : process.memoryUsage().heapUsed - heap;
    return { cpuMs: (user + system) / 1000, heapBytes };
  },
);

/** The same ones for the same turn and count, so that what one operation created another one finds. */
function itemsOf(turn: number, count: number): Item[] {
  return Array.from({ length: count }, (_, index) => ({
    email: `lead-${platform}-${turn}-${count}-${index}@x.example`,
    code: `${platform}-${turn}-${count}-${index}`.toUpperCase(),
  }));
}
