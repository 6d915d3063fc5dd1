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
      'The relay on its own PostgreSQL, which waits for the disk at every commit. The relay, the receivers and the service are processes of their own on this machine. 1 in the first table is the least that keeps an event: a server that stores the bytes of each request as a row, in a commit of its own, and responds. The relay verifies a signature besides, stores an event and a delivery, and delivers it signed while more events arrive. Straight to the database there is no request at all. A delivery takes the time from the request of the service to its arrival at the subscriber. The sender processes have so few lanes that the latency of the subscribers is the limit, and not the processor.',
    tables: findings.map(({ table }) => table),
    goals: findings.flatMap(({ goals }) => goals),
  };
};

export default part;
