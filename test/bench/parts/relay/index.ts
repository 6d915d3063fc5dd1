import type { Part } from '../../lib/section.ts';
import { besideBacklog } from './backlog.ts';
import { againstBareCommits } from './commits.ts';
import type { Findings } from './findings.ts';
import { besideNeighbors } from './neighbors.ts';
import { withMoreSenders } from './scale.ts';
import { Stage } from './stage.ts';
import { withManyStored } from './stored.ts';

type Measure = (stage: Stage, isShort: boolean) => Promise<Findings>;

const usual: Readonly<Record<string, Measure>> = {
  commits: againstBareCommits,
  backlog: besideBacklog,
  senders: withMoreSenders,
};
/** The first stores five million events before it measures. */
const long: Readonly<Record<string, Measure>> = {
  stored: withManyStored,
  neighbors: besideNeighbors,
};

const part: Part = async ({ isShort, only = [] }) => {
  const all = { ...usual, ...long };
  const unknown = only.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    throw new Error(
      `The relay has no ${unknown.join(', ')}; it has ${Object.keys(all).join(', ')}.`,
    );
  }
  const measures = Object.entries(isShort && only.length === 0 ? usual : all);
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
      'The relay on a PostgreSQL that waits for the disk at every commit. In the first table, 1 is the minimum: a server that commits the bytes of each request as a row, and responds. The relay also verifies a signature, stores an event, and delivers it signed while more events arrive. "Straight to the database" sends no request. A delivery takes from the request of the service to its arrival at the subscriber. The sender processes have so few concurrent subscriptions that the latency of the subscribers is the limit, not the processor. The neighbors of the 25 healthy subscriptions belong to the same connector key.',
    tables: findings.map(({ table }) => table),
    goals: findings.flatMap(({ goals }) => goals),
  };
};

export default part;
