import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../../packages/sandbox/src/random.ts';
import type { Hub } from './hub.ts';
import { Program } from './program.ts';

const types = ['campaign.paid', 'user.registered', 'coupon.redeemed'] as const;
const wanted = [
  ['campaign.paid'],
  ['campaign.paid', 'user.registered'],
  ['*'],
  ['coupon.redeemed'],
];
const hour = 3_600_000;
const pauseMs = 20;

interface Run {
  readonly seed: number;
  readonly operations: number;
  /** Ends a process, or PostgreSQL, if there is one to end. */
  readonly kill?: (random: Random) => Promise<void>;
  /** Puts a backup in the place of the database, with relays that know nothing else. */
  readonly restore?: () => Promise<void>;
}

/**
 * Makes random changes beside events without end, and counts what was lost or came twice. The seed
 * decides the changes, but not how they meet the events in real time, so no two runs are the same.
 */
export async function changeHands(hub: Hub, { seed, operations, kill, restore }: Run) {
  const random = new Random(seed);
  const programs: Program[] = [];
  try {
    for (const events of wanted) {
      const program = new Program(hub, (await hub.newToken()).token, events);
      await program.start();
      programs.push(program);
    }
    const delivering = hub.deliver(types, 4);
    delivering.catch(() => hub.end());
    for (const program of programs) await program.subscribe();
    await changeAll(1);
    if (restore) {
      // So that the backup holds deliveries to retry.
      for (const program of programs) program.fail(3);
      await hub.moreEvents();
      await hub.pausedFor(restore);
      await changeAll(2);
    }
    if (kill) for (let left = 3; left > 0; left -= 1) await kill(random);
    hub.end();
    await delivering;
    await finish(hub, programs);
    return { events: hub.acknowledged.size, ...countOf(hub, programs) };
  } finally {
    hub.end();
    await Promise.all(programs.map((program) => program.stop()));
  }

  async function changeAll(time: number): Promise<void> {
    await Promise.all(
      programs.map(async (program, nth) => {
        const own = new Random(seed + time * programs.length + nth);
        for (let left = operations; left > 0; left -= 1) await change(hub, program, own);
      }),
    );
  }

  async function change(of: Hub, program: Program, own: Random): Promise<void> {
    await wait(own.integer(0, 30));
    switch (own.integer(0, 10)) {
      case 0:
        return program.move();
      case 1:
        return program.takeKey();
      case 2:
        return program.switchOffAndOn();
      case 3:
        return program.fail(own.integer(3, 12));
      case 4:
        return program.ask('redeliver', { states: ['delivered'] });
      case 5:
        return program.ask('retry');
      case 6:
        return void (await of.operate(() => of.admin.prune(hour)));
      case 7:
        await program.ask('redeliver', { states: ['dead'] });
        return program.ask('redeliver', { missing: true });
      case 8:
        if (kill && own.chance(0.3)) return kill(own);
        return own.chance(0.2) ? of.rotateSecret() : undefined;
      default:
        return program.publishAgain();
    }
  }
}

/** Retries what failed until nothing is missing, or the relay has nothing left to deliver. */
async function finish(hub: Hub, programs: readonly Program[]): Promise<void> {
  for (const program of programs) program.fail(0);
  while (countOf(hub, programs).lost > 0 && (await hub.leftToDeliver())) {
    for (const program of programs) await program.ask('retry');
    await wait(pauseMs * 10);
  }
}

function countOf({ acknowledged }: Hub, programs: readonly Program[]) {
  let [lost, duplicates] = [0, 0];
  for (const program of programs) {
    for (const [number, type] of acknowledged) {
      const count = program.accepted.get(number) ?? 0;
      if (number >= program.from && program.wants(type) && count === 0) lost += 1;
      duplicates += Math.max(0, count - 1);
    }
  }
  return { lost, duplicates };
}
