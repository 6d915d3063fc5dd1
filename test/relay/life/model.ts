import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../../packages/sandbox/src/random.ts';
import { leftToDeliver } from '../hands/left-to-deliver.ts';
import type { Place } from './history.ts';
import { violationsOfDeliveries, violationsOfRows } from './invariants.ts';
import { Scene } from './scene.ts';

const elevenMinutes = 11 * 60_000;
const workers = 5;

/** Asks for random things, several at once, beside events without end, and says what was wrong. */
export async function runModel(seed: number, operations: number) {
  const scene = await Scene.open(new Random(seed));
  const { random, history } = scene;
  try {
    const delivering = scene.deliver();
    delivering.catch(() => scene.end());
    const work = async () => {
      for (let left = operations; left > 0; left -= 1) {
        await wait(random.integer(0, 25));
        await act(scene);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    scene.end();
    await delivering;
    const early = await violationsOfRows(scene);
    await settle(scene);
    const { rows } = await scene.query(
      `SELECT count(*)::integer AS count FROM attempt WHERE status BETWEEN 200 AND 299`,
    );
    return {
      figures: {
        seed,
        events: history.events.length,
        puts: history.puts.length,
        accepted: rows[0].count,
      },
      violations: [
        ...early,
        ...(await violationsOfRows(scene)),
        ...(await violationsOfDeliveries(scene)),
      ],
    };
  } finally {
    scene.end();
    await scene.close();
  }
}

async function act(scene: Scene): Promise<unknown> {
  const { random, history } = scene;
  const place = scene.anyPlace();
  if (scene.isRevoked(place)) return;
  const events = history.putsOf(place).at(-1)?.events ?? scene.anyEvents();
  switch (random.integer(0, 15)) {
    case 0:
    case 1:
    case 2:
      return scene.put(place, events);
    case 3:
      return scene.put(place, scene.anyEvents());
    case 4:
      return scene.put(place, events, { catch_up: random.chance(0.5) });
    case 5:
      return replace(scene, place, events);
    case 6:
    case 7:
    case 8:
      // As n8n publishes, but in any order of arrival.
      return Promise.all(
        shuffled(random, [() => scene.delete(place), () => scene.put(place, events)]),
      );
    case 9:
      return scene.delete(place, random.chance(0.5));
    case 10:
      return scene.switch(place, random.chance(0.4) ? 'off' : 'active');
    case 11:
      return void Object.assign(scene.plans[place.target] ?? {}, {
        failures: random.integer(1, 5),
      });
    case 12:
      return random.chance(0.3) ? gone(scene, place) : scene.age(elevenMinutes);
    case 13:
      return random.chance(0.3)
        ? scene.prune()
        : scene.erase(random.integer(0, history.events.length));
    case 14:
      return random.chance(0.5) ? scene.rotate(place.token, random.chance(0.5)) : undefined;
    default:
      return random.chance(0.1) ? scene.revoke(place.token) : scene.delete(place);
  }
}

async function replace(scene: Scene, place: Place, events: readonly string[]): Promise<void> {
  const replaces = scene.idOf(scene.anyPlace());
  await scene.put(place, events, replaces === undefined ? {} : { replaces });
}

async function gone({ plans, random }: Scene, { target }: Place): Promise<void> {
  const plan = plans[target];
  if (!plan) return;
  plan.isGone = true;
  await wait(random.integer(5, 40));
  plan.isGone = false;
}

function shuffled(random: Random, asks: readonly (() => Promise<void>)[]): Promise<void>[] {
  const order = random.chance(0.5) ? asks : asks.toReversed();
  return order.map((ask) => ask());
}

/** Every target works, everything is subscribed and catches up, and nothing is left to deliver. */
async function settle(scene: Scene): Promise<void> {
  for (const plan of scene.plans) Object.assign(plan, { failures: 0, isGone: false });
  for (const place of scene.places) {
    const last = scene.history.putsOf(place).at(-1);
    if (last && !scene.isRevoked(place)) await scene.put(place, last.events, { catch_up: true });
  }
  while (await leftToDeliver(scene.databaseUrl)) {
    const { data } = await scene.relay.subscriptions.list();
    for (const { id, state } of data) {
      if (state === 'active') await scene.relay.subscriptions.retry(id);
    }
    await wait(100);
  }
}
