import type { Part } from '../../lib/section.ts';
import { besideBacklog } from './backlog.ts';
import { againstBareCommits } from './commits.ts';
import type { Findings } from './findings.ts';
import { besideTroubled } from './isolation.ts';
import { withMoreSenders } from './scale.ts';
import { Stage } from './stage.ts';
import { withManyStored } from './stored.ts';

const measurements = [
  againstBareCommits,
  besideBacklog,
  withManyStored,
  besideTroubled,
  withMoreSenders,
];

const part: Part = async ({ isShort }) => {
  const findings: Findings[] = await Stage.open(async (stage) => {
    const found: Findings[] = [];
    for (const measure of measurements) {
      found.push(await measure(stage, isShort));
      stage.clear();
    }
    return found;
  });
  return {
    title: 'Relay',
    intro:
      'The relay on its own PostgreSQL, which waits for the disk at every commit. The relay, the receivers and the service are processes of their own on this machine. 1 in the first table is one row of 300 bytes in each commit, with 32 commits at a time, straight from a program to the database; one event at the relay is an HTTP request, a verified signature, four rows and a signed delivery. A delivery takes the time from the request of the service to its arrival at the subscriber. The sender processes of the last table have so few lanes that the latency of the subscribers is the limit, and not the processor.',
    tables: findings.map(({ table }) => table),
    goals: findings.flatMap(({ goals }) => goals),
  };
};

export default part;
