import type { Part } from '../../lib/section.ts';
import { besideBacklog } from './backlog.ts';
import { againstBareCommits } from './commits.ts';
import type { Findings } from './findings.ts';
import { besideTroubled } from './isolation.ts';
import { withMoreSenders } from './scale.ts';
import { Stage } from './stage.ts';
import { withManyStored } from './stored.ts';

const usual = [againstBareCommits, besideBacklog, besideTroubled, withMoreSenders];
/** Stores a million events first. A test in the full tier shows that no query walks through them. */
const long = [withManyStored];

const part: Part = async ({ isShort }) => {
  const findings: Findings[] = await Stage.open(async (stage) => {
    const found: Findings[] = [];
    for (const measure of isShort ? usual : [...usual, ...long]) {
      found.push(await measure(stage, isShort));
      stage.clear();
    }
    return found;
  });
  return {
    title: 'Relay',
    intro:
      'The relay on a PostgreSQL that waits for the disk at every commit. In the first table, 1 is the minimum: a server that commits the bytes of each request as a row, and responds. The relay also verifies a signature, stores an event and a delivery, and delivers it signed while more events arrive. "Straight to the database" sends no request. A delivery takes from the request of the service to its arrival at the subscriber. The sender processes have so few concurrent subscriptions that the latency of the subscribers is the limit, not the processor.',
    tables: findings.map(({ table }) => table),
    goals: findings.flatMap(({ goals }) => goals),
  };
};

export default part;
