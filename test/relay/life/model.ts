import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../../packages/sandbox/src/state/random.ts';
import { act } from './acts.ts';
import { examine } from './checks/examine.ts';
import { Scene, type Stage } from './scene.ts';

const workers = 5;

interface Run {
  readonly seed: number;
  /** Of each of those who ask. */
  readonly operations: number;
  readonly kills: number;
  /** Whether one process is also paused for longer than its leases last. */
  readonly pauses: boolean;
}

/**
 * Asks for random things, several at once, beside events without end, while processes are killed, and
 * says what was wrong. The seed decides the requests, but not how they meet in real time.
 */
export async function runModel(stage: Stage, { seed, operations, kills, pauses }: Run) {
  const random = new Random(seed);
  const scene = await Scene.open(stage, random);
  try {
    const delivering = scene.deliver();
    delivering.catch(() => scene.end());
    let isDisturbed = true;
    const work = async () => {
      for (let done = 0; done < operations || isDisturbed; done += 1) {
        // Slower once it only waits for a process.
        await wait(random.integer(0, done < operations ? 25 : 300));
        await act(scene);
      }
    };
    const disturb = async () => {
      for (let left = kills; left > 0; left -= 1) {
        await wait(random.integer(50, 500));
        await stage.processes.kill(random.integer(0, 1), scene.history);
      }
      if (pauses) await stage.processes.pause(random.integer(0, 1), scene.history);
    };
    const disturbing = disturb().finally(() => {
      isDisturbed = false;
    });
    await Promise.all([...Array.from({ length: workers }, work), disturbing]);
    scene.end();
    await delivering;
    await settle(scene);
    return { seed, ...(await examine(scene)) };
  } finally {
    await scene.close();
  }
}

const wanted = "(event.type = one.name OR (one.name = '*' AND event.type NOT LIKE 'relay.%'))";
/** One row while an active subscription waits for an event, a delivery or a job. */
const leftToDeliver = `SELECT FROM subscription WHERE state = 'active' AND (
  EXISTS (SELECT FROM event CROSS JOIN unnest(events, since) AS one (name, since)
    WHERE event.source_number = subscription.source_number
      AND event.position > greatest(subscription.position, one.since) AND ${wanted})
  OR EXISTS (SELECT FROM delivery WHERE subscription_number = subscription.number AND delivery.state = 'pending')
  OR EXISTS (SELECT FROM job WHERE subscription_number = subscription.number)) LIMIT 1`;

/** Every target works, everything is subscribed and catches up, and nothing is left to deliver. */
async function settle(scene: Scene): Promise<void> {
  scene.targets.repair();
  for (const place of scene.places) {
    const last = scene.history.putsOf(place).at(-1);
    if (last) await scene.put(place, last.events, { catch_up: true });
  }
  const { admin } = scene.stage;
  while ((await scene.query(leftToDeliver)).rowCount !== 0) {
    const { data } = await admin.operate('subscriptions.list', { source: scene.source });
    for (const { id, state } of data) {
      if (state === 'active') await admin.operate('subscriptions.retry', { id });
    }
    await wait(100);
  }
}
