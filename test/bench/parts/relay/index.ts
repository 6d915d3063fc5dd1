import type { Part } from '../../lib/section.ts';
import { againstBareCommits } from './commits.ts';
import { besideNeighbors } from './neighbors.ts';
import { withMoreSenders } from './scale.ts';
import { type Findings, Stage } from './stage.ts';
import { withManyStored } from './stored.ts';

/** The last two take long: the first of them stores five million events before it measures. */
const measures = [againstBareCommits, withMoreSenders, withManyStored, besideNeighbors];

const part: Part = async (isShort) => {
  const findings: Findings[] = [];
  await Stage.open(async (stage) => {
    for (const measure of isShort ? measures.slice(0, 2) : measures) {
      findings.push(await measure(stage, isShort));
      stage.clear();
    }
  });
  return {
    title: 'Relay',
    intro:
      'The relay on a PostgreSQL that waits for the disk at every commit. In the first table, 1 is the minimum: a server that commits the bytes of each request as a row, and responds. The relay also verifies a signature, stores an event, and delivers it signed while more events arrive. A delivery takes from the request of the service to its arrival at the subscriber. The sender processes have so few concurrent subscriptions that the latency of the subscribers is the limit, not the processor. The neighbors of the 25 healthy subscriptions belong to the same connector key.',
    tables: findings.map(({ table }) => table),
    goals: findings.flatMap(({ goals }) => goals),
  };
};

export default part;
