import type { Part } from '../../lib/section.ts';
import { againstBareCommits } from './commits.ts';
import type { Findings } from './load.ts';
import { type Measure, neighbors } from './neighbors.ts';
import { Stage } from './stage.ts';

const usual: Readonly<Record<string, Measure>> = { commits: againstBareCommits };
const part: Part = async ({ isShort, only = [] }) => {
  const measures = Object.entries({ ...usual, ...(isShort && only.length === 0 ? {} : neighbors) });
  const chosen = measures.filter(([name]) => only.length === 0 || only.includes(name));
  const findings: Findings[] = await Stage.open(async (stage) => {
    const found: Findings[] = [];
    for (const [, measure] of chosen) {
      found.push(await measure(stage, isShort));
      stage.clear();
    }
    return found;
  });
  return {
    title: 'Relay',
    intro:
      'The relay on a PostgreSQL that waits for the disk at every commit. In the first table, 1 is the minimum: a server that commits the bytes of each request as a row, and responds. The relay also verifies a signature, stores an event and a delivery, and delivers it signed while more events arrive. A delivery takes from the request of the service to its arrival at the subscriber. The neighbors of the 25 healthy subscriptions belong to the same connector key.',
    tables: findings.map(({ table }) => table),
    goals: findings.flatMap(({ goals }) => goals),
  };
};

export default part;
