import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { SeededRandom } from '../../../packages/sandbox/src/state/random.ts';
import { seed, tier } from '../../support/tier.ts';
import { migratedDatabase, onDatabase, start } from '../support/running-relay.ts';
import { installAudit } from './audit.ts';
import { attemptsFound } from './checks/attempts.ts';
import { erasedFound, lostFound } from './checks/lost.ts';
import { leasesFound, requestsFound, rowsFound } from './checks/rows.ts';
import { Findings } from './findings.ts';
import { type Place, types } from './history.ts';
import { Processes } from './processes.ts';
import { Scene } from './scene.ts';

const runs = { everyday: 1, full: 3, nightly: 300 }[tier];
const isShort = tier === 'everyday';

it(`overlapping requests lose no event, and deliver none that was not asked for, whatever process is killed, in ${runs} runs`, async () => {
  const stage = await openStage();
  const violations: string[] = [];
  try {
    for (let one = seed; one < seed + runs; one += 1) {
      const result = await runModel(stage, {
        seed: one,
        operations: isShort ? 12 : 20,
        kills: 1,
        pauses: !isShort && one % 10 === 0,
      });
      violations.push(...result.map((text) => `seed ${one}: ${text}`));
    }
  } finally {
    violations.push(...(await stage.processes.stop()));
  }
  expect(violations).toEqual([]);
});

async function openStage(): Promise<Stage> {
  const databaseUrl = await migratedDatabase();
  const { relay: admin } = await start({ clock: 'running', role: 'ingress', databaseUrl });
  await onDatabase(databaseUrl, (client) => client.query(installAudit));
  const processes = await Processes.start(databaseUrl);
  return { databaseUrl, admin, processes, next: () => processes.next() };
}

type Stage = Scene['stage'] & { readonly processes: Processes };

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
async function runModel(stage: Stage, { seed, operations, kills, pauses }: Run) {
  const random = new SeededRandom(seed);
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
        await stage.processes.kill(random.integer(0, 1));
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
    return examine(await Findings.of(scene));
  } finally {
    await scene.close();
  }
}

const isWanted = "(event.type = one.name OR (one.name = '*' AND event.type NOT LIKE 'relay.%'))";
/** One row while an active subscription waits for an event, a delivery or a job. */
const leftToDeliver = `SELECT FROM subscription WHERE state = 'active' AND (
  EXISTS (SELECT FROM event CROSS JOIN unnest(events, since) AS one (name, since)
    WHERE event.source_number = subscription.source_number
      AND event.position > greatest(subscription.position, one.since) AND ${isWanted})
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

/** What was wrong in a run, in words. */
function examine(findings: Findings): readonly string[] {
  expect(findings.history.arrivals.map(({ status }) => status)).toContain(200);
  return [
    ...rowsFound(findings),
    ...requestsFound(findings),
    ...leasesFound(findings),
    ...attemptsFound(findings),
    ...lostFound(findings),
    ...erasedFound(findings),
  ];
}

const elevenMinutes = 11 * 60_000;

const wanted: readonly [readonly string[], ...(readonly string[])[]] = [
  [types[0]],
  [types[0], types[1]],
  ['*'],
  [types[2]],
  [types[1], types[2]],
];

interface Choice {
  readonly scene: Scene;
  readonly place: Place;
  /** What it wanted last. */
  readonly events: readonly string[];
}

/** What can be asked, each with its share. */
const acts: readonly (readonly [share: number, act: (choice: Choice) => unknown])[] = [
  [6, ({ scene, place, events }) => scene.put(place, events)],
  [3, ({ scene, place }) => scene.put(place, scene.random.pick(wanted))],
  [
    2,
    ({ scene, place, events }) => scene.put(place, events, { catch_up: scene.random.chance(0.5) }),
  ],
  [3, replace],
  [2, chain],
  [7, publish],
  [3, ({ scene, place }) => scene.delete(place, scene.random.chance(0.4))],
  [2, ({ scene, place }) => scene.change(place, scene.random.chance(0.4) ? 'off' : 'active')],
  [2, redeliver],
  [2, retry],
  [2, ({ scene, place }) => scene.targets.fail(place.target, scene.random.integer(1, 5))],
  [1, gone],
  [1, ({ scene }) => scene.age(elevenMinutes)],
  [1, ({ scene }) => scene.random.chance(0.5) && scene.prune()],
  [2, ({ scene }) => scene.pruneEvents()],
  [1, erase],
  [1, expireKey],
];

const sharesTotal = acts.reduce((sum, [share]) => sum + share, 0);

/** Asks for one random thing, and resolves once it has its response. */
async function act(scene: Scene): Promise<void> {
  const { random, history } = scene;
  const place = scene.anyPlace();
  if (scene.isRevoked(place)) return;
  const events = history.putsOf(place).at(-1)?.events ?? random.pick(wanted);
  let left = random.integer(1, sharesTotal);
  const chosen = acts.find(([share]) => {
    left -= share;
    return left <= 0;
  });
  await chosen?.[1]({ scene, place, events });
}

/** As for a copy, another target, or another key: any place may name any other. */
async function replace({ scene, place, events }: Choice): Promise<void> {
  const replaces = scene.idOf(scene.anyPlace());
  await scene.put(place, events, replaces === undefined ? {} : { replaces });
}

/** Each of three replaces the one before, several at once: the last one gets what waits in the jobs of others. */
async function chain({ scene, events }: Choice): Promise<void> {
  const places = Array.from({ length: 3 }, () => scene.anyPlace());
  const asks = places.slice(1).map((place, nth) => async () => {
    const replaces = scene.idOf(places[nth] as Place);
    await scene.put(place, events, replaces === undefined ? {} : { replaces });
  });
  if (scene.random.chance(0.5)) await Promise.all(asks.map((ask) => ask()));
  else for (const ask of asks) await ask();
}

/** As n8n publishes again, but in any order of arrival. */
async function publish({ scene, place, events }: Choice): Promise<void> {
  const asks = [() => scene.delete(place), () => scene.put(place, events)];
  const order = scene.random.chance(0.5) ? asks : asks.toReversed();
  await Promise.all(order.map((one) => one()));
}

/**
 * What died, or what is missing, at times twice at once; beside it, at times, an operator switches the
 * subscription off and on, it wants other types, or events become old and are pruned.
 */
async function redeliver({ scene, place }: Choice): Promise<void> {
  const { random } = scene;
  const what = random.chance(0.5) ? { states: ['dead'] } : { missing: true };
  const ask = () => scene.redeliver(place, what);
  const switchOffAndOn = async () => {
    await scene.change(place, 'off');
    await scene.change(place, 'active');
  };
  await Promise.all([
    ask(),
    ...(random.chance(0.4) ? [ask()] : []),
    ...(random.chance(0.2) ? [switchOffAndOn()] : []),
    ...(random.chance(0.2) ? [scene.put(place, random.pick(wanted))] : []),
    ...(random.chance(0.2) ? [scene.pruneEvents()] : []),
  ]);
}

/** By hand: one delivery, or what is pending of a subscription. */
async function retry({ scene, place }: Choice): Promise<void> {
  const id = scene.idOf(place);
  if (id === undefined) return;
  if (scene.random.chance(0.5)) {
    await scene.call(place.token, 'POST', `/subscriptions/${id}/retry`);
    return;
  }
  const listed = await scene.call(
    place.token,
    'GET',
    `/deliveries?state=pending&subscription_id=${id}`,
  );
  const [first] = listed?.body.data ?? [];
  if (first)
    await scene.call(place.token, 'POST', `/subscriptions/${id}/retry`, {
      deliveries: [first.id],
    });
}

async function gone({ scene, place }: Choice): Promise<void> {
  const plan = scene.targets.plans[place.target];
  if (!plan || scene.random.chance(0.5)) return;
  plan.isGone = true;
  await wait(scene.random.integer(5, 40));
  plan.isGone = false;
}

async function erase({ scene }: Choice): Promise<void> {
  const { random, history } = scene;
  if (history.events.length > 0) await scene.erase(random.integer(0, history.events.length - 1));
}

async function expireKey({ scene, place: { token } }: Choice): Promise<void> {
  const { random } = scene;
  if (random.chance(0.08)) await scene.expireKey(token, 'revoked');
  else if (random.chance(0.6)) {
    await scene.expireKey(token, random.chance(0.6) ? 'rotated' : 'a day later');
  }
}
