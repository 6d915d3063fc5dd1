import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { SeededRandom } from '../../../packages/sandbox/src/state/random.ts';
import { listen } from '../../shared/support/loopback.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import type { Program } from '../../support/program.ts';
import { seed, tier } from '../../support/tier.ts';
import { startRelay } from '../support/relay-process.ts';
import {
  migratedDatabase,
  postEvent,
  secretKey,
  send,
  sourceSecret,
  start,
} from '../support/running-relay.ts';
import { type Arrival, type History, lost, type Place, twice, unwanted } from './violations.ts';

const runs = tier === 'nightly' ? 300 : 3;

it(`overlapping requests lose no event, and deliver none that was not asked for, whatever process is killed, in ${runs} runs`, async () => {
  const relays = await startRelays();
  const violations: string[] = [];
  for (let one = seed; one < seed + runs; one += 1) {
    const found = await run(await openScene(relays, new SeededRandom(one)), one % 10 === 0);
    violations.push(...found.map((text) => `seed ${one}: ${text}`));
  }
  expect([...violations, ...relays.crashes]).toEqual([]);
});

/** Each lease says who has it. Claims are slow, so that two processes meet in them. */
const nameOwners = `
ALTER TABLE lease ADD COLUMN process text;
CREATE FUNCTION name_owner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_sleep(random() * 0.02);
  NEW.process = current_setting('application_name');
  RETURN NEW;
END $$;
CREATE TRIGGER name_owner BEFORE UPDATE ON lease FOR EACH ROW
  WHEN (NEW.owner IS NOT NULL AND OLD.owner IS DISTINCT FROM NEW.owner) EXECUTE FUNCTION name_owner();`;

type Relays = Awaited<ReturnType<typeof startRelays>>;

/** Two relays on one database, each in its own process, with their operator, who delivers nothing. */
async function startRelays() {
  const databaseUrl = await migratedDatabase();
  const { relay: admin, query } = await start({ clock: 'running', role: 'ingress', databaseUrl });
  await query(nameOwners);
  const ports = [await freePort(), await freePort()];
  const crashes: string[] = [];
  const programs: (Program | undefined)[] = [];
  const open = async (nth: number) => {
    const program = startRelay(['start'], {
      RELAY_SECRET_KEY: secretKey,
      RELAY_ALLOW_TARGETS: '127.0.0.1',
      DATABASE_URL: `${databaseUrl}&application_name=relay-${nth}`,
      PORT: String(ports[nth]),
    });
    programs[nth] = program;
    void program.ended.then(({ errors }) => {
      if (programs[nth] === program && errors !== '') crashes.push(errors);
    });
    const isReady = () => fetch(`http://127.0.0.1:${ports[nth]}/readyz`).then(Boolean, () => false);
    await eventually(isReady, 'the relay is ready');
  };
  await Promise.all(ports.map((_, nth) => open(nth)));
  let calls = 0;
  let paused: number | undefined;
  return {
    admin,
    query,
    crashes,
    /** The address of one that is not paused, as a load balancer chooses. */
    next() {
      calls += 1;
      return `http://127.0.0.1:${ports[paused === undefined ? calls % 2 : 1 - paused]}`;
    },
    /** Like a power cut, and starts it again. The 15 s for which it had its leases pass at once. */
    async kill(nth: number) {
      const program = programs[nth];
      programs[nth] = undefined;
      program?.kill();
      await program?.ended;
      await query('UPDATE lease SET leased_until = clock_timestamp() WHERE process = $1', [
        `relay-${nth}`,
      ]);
      await open(nth);
    },
    /** Nothing of it runs for longer than its leases last. It continues where it stopped. */
    async pause(nth: number) {
      paused = nth;
      programs[nth]?.signal('SIGSTOP');
      await wait(16_500);
      programs[nth]?.signal('SIGCONT');
      paused = undefined;
    },
  };
}

const types = ['campaign.paid', 'coupon.redeemed', 'user.registered'] as const;
const numbers = [0, 1, 2] as const;

type Scene = Awaited<ReturnType<typeof openScene>>;

/** A source with three keys and three targets, and what programs ask of the relays. */
async function openScene(relays: Relays, random: SeededRandom) {
  const { admin, next } = relays;
  const history: History = { puts: [], events: [], arrivals: [], outages: [] };
  const source = `source-${randomUUID()}`;
  await admin.sources.add(source, sourceSecret);
  const keys = await Promise.all(
    numbers.map((nth) => admin.tokens.create(source, String(nth), [nth ? 'subscribe' : 'manage'])),
  );
  const targets = await startTargets(
    random,
    history.arrivals,
    keys.map(({ signingSecret }) => signingSecret),
  );

  /** Again until there is a response, as programs do if a process dies. */
  async function call(token: number, method: string, path: string, body?: object) {
    for (;;) {
      const headers = { authorization: `Bearer ${keys[token]?.token}` };
      const sent = send(`${next()}/api/v1${path}`, method, headers, body);
      const response = await sent.catch(() => undefined);
      if (response && response.status < 500) return response;
      await wait(20);
    }
  }

  const putsOf = ({ token, target }: Place) =>
    history.puts.filter((one) => one.token === token && one.target === target && one.id !== '');
  const idOf = (place: Place) => putsOf(place).at(-1)?.id;
  return {
    ...{ relays, random, history, source, targets, call, idOf },
    anyPlace: (): Place => ({ token: random.pick(numbers), target: random.pick(numbers) }),
    /** What it asked for last. */
    namesOf: (place: Place) => putsOf(place).at(-1)?.names ?? random.pick(wanted),
    async put(place: Place, names: readonly string[], replaces?: Place, catchUp?: boolean) {
      const times = { sentAt: Date.now(), answeredAt: Number.POSITIVE_INFINITY };
      const asked = { ...place, names, replaces, id: '', ...times };
      history.puts.push(asked);
      const { body } = await call(place.token, 'PUT', '/subscriptions', {
        target_url: targets.urlOf(place.target),
        events: names,
        ...(replaces && { replaces: idOf(replaces) }),
        ...(catchUp !== undefined && { catch_up: catchUp }),
      });
      Object.assign(asked, { id: body.id, answeredAt: Date.now() });
    },
    /** By the ID of its last request, or of an earlier one. */
    async end(place: Place, isStale = false) {
      const id = putsOf(place).at(isStale ? -2 : -1)?.id;
      if (id) await call(place.token, 'DELETE', `/subscriptions/${id}`);
    },
    async ask(place: Place, method: string, verb: string, body?: object) {
      const id = idOf(place);
      if (id) await call(place.token, method, `/subscriptions/${id}${verb}`, body);
    },
    /** The service, which delivers one event after the other until it is over. */
    async deliver(isOver: () => boolean) {
      for (let number = 0; !isOver(); number += 1) {
        const type = types[number % types.length] ?? types[0];
        const event = { type, sentAt: Date.now(), answeredAt: Number.POSITIVE_INFINITY };
        history.events.push(event);
        const body = { id: `evt_${number}`, type, data: { number } };
        while (!Number.isFinite(event.answeredAt)) {
          const sent = await postEvent(next(), body, { source }).catch(() => undefined);
          // 200 for one that was stored although its process was killed.
          if (sent && sent.status <= 202) event.answeredAt = Date.now();
          else await wait(20);
        }
        await wait(random.integer(0, 8));
      }
    },
  };
}

/** Programs that get events, at one server. An event is of the key that signed it. */
async function startTargets(random: SeededRandom, arrivals: Arrival[], secrets: readonly string[]) {
  const plans = numbers.map(() => ({ failures: 0, isGone: false }));
  const server = createServer(async (request, response) => {
    const at = Date.now();
    let body = '';
    for await (const chunk of request) body += chunk;
    const target = Number(request.url?.slice(1));
    const plan = plans[target];
    if (!plan || request.method === 'DELETE') return void response.writeHead(204).end();
    const signature = String(request.headers['x-service-signature']);
    const timestamp = Number(/^t=(\d+)/.exec(signature)?.[1]);
    const token = secrets.findIndex(
      (secret) => signature === signWebhook({ body, secret, timestamp }),
    );
    const webhookId = String(request.headers['webhook-id']);
    const arrival = { token, target, at, webhookId, event: JSON.parse(body).data.number };
    await wait(random.integer(0, 15));
    plan.failures -= 1;
    const status = plan.isGone ? 410 : plan.failures >= 0 ? 500 : 200;
    arrivals.push({ ...arrival, status });
    response.writeHead(status).end();
  });
  const { port, close } = await listen(server);
  return { plans, urlOf: (target: number) => `http://127.0.0.1:${port}/${target}`, close };
}

/**
 * Asks for random things, several at once, beside events without end, while a process is killed. The
 * seed decides the requests, but not how they meet in real time.
 */
async function run(scene: Scene, pauses: boolean): Promise<readonly string[]> {
  const { relays, random, history, targets } = scene;
  let isDisturbed = true;
  let isOver = false;
  const disturb = async () => {
    await wait(random.integer(50, 500));
    for (const disturbance of pauses ? (['kill', 'pause'] as const) : (['kill'] as const)) {
      const outage = { from: Date.now(), until: Number.POSITIVE_INFINITY };
      history.outages.push(outage);
      await relays[disturbance](random.integer(0, 1));
      outage.until = Date.now();
    }
    isDisturbed = false;
  };
  const work = async () => {
    for (let done = 0; done < 20 || isDisturbed; done += 1) {
      // Slower once it only waits for a process.
      await wait(random.integer(0, done < 20 ? 25 : 300));
      await act(scene);
    }
  };
  const delivering = scene.deliver(() => isOver);
  await Promise.all([disturb(), ...Array.from({ length: 5 }, work)]);
  isOver = true;
  await delivering;
  await settle(scene);
  await targets.close();
  expect(history.arrivals.map(({ status }) => status)).toContain(200);
  return [...lost(history, await deadOf(scene)), ...unwanted(history), ...twice(history)];
}

/** Every target works, every subscription catches up, and nothing is left to deliver. */
async function settle({ relays, source, history, targets, namesOf, put }: Scene): Promise<void> {
  for (const plan of targets.plans) Object.assign(plan, { failures: 0, isGone: false });
  const places = new Map(history.puts.map((one) => [`${one.token} ${one.target}`, one]));
  for (const place of places.values()) await put(place, namesOf(place), undefined, true);
  for (let isLeft = true; isLeft; await wait(100)) {
    const { data } = await relays.admin.operate('subscriptions.list', { source });
    isLeft = data.some((one) => one.has_request || Number(one.waiting) + Number(one.pending) > 0);
    for (const { id } of data) await relays.admin.operate('subscriptions.retry', { id });
  }
}

/** What died since its target was gone, by key, target and event. */
async function deadOf({ relays, source }: Scene): Promise<ReadonlySet<string>> {
  const { rows } = await relays.query(
    `SELECT token.name || ' ' || right(target_url, 1) || ' ' ||
        (convert_from(body, 'UTF8')::jsonb #>> '{data,number}') AS one
      FROM delivery JOIN event USING (source_number, position)
      JOIN subscription ON subscription.number = subscription_number
      JOIN token ON token.number = token_number JOIN source ON source.number = event.source_number
      WHERE delivery.state = 'dead' AND reason = 'gone' AND source.name = $1`,
    [source],
  );
  return new Set(rows.map(({ one }) => one));
}

const wanted: readonly [readonly string[], ...(readonly string[])[]] = [
  [types[0]],
  [types[0], types[1]],
  ['*'],
  [types[2]],
  [types[1], types[2]],
];

type Act = (scene: Scene, place: Place, names: readonly string[]) => unknown;

/** What programs ask for, each with its share. */
const acts: readonly (readonly [share: number, act: Act])[] = [
  [6, ({ put }, place, names) => put(place, names)],
  [3, ({ put, random }, place) => put(place, random.pick(wanted))],
  [2, ({ put, random }, place, names) => put(place, names, undefined, random.chance(0.5))],
  // As a copy, another target, or another key: any place may name any other.
  [3, ({ put, anyPlace }, place, names) => put(place, names, anyPlace())],
  [2, chain],
  [7, publish],
  [3, ({ end, random }, place) => end(place, random.chance(0.4))],
  [2, ({ ask, random }, place) => ask(place, 'PATCH', '', switched(random.chance(0.4)))],
  [2, redeliver],
  [2, ({ ask }, place) => ask(place, 'POST', '/retry')],
  [
    2,
    ({ targets, random }, { target }) =>
      Object.assign(targets.plans[target] ?? {}, { failures: random.integer(1, 5) }),
  ],
  [1, gone],
];

const sharesTotal = acts.reduce((sum, [share]) => sum + share, 0);

/** Asks for one random thing, and resolves once it has its response. */
async function act(scene: Scene): Promise<void> {
  const place = scene.anyPlace();
  let left = scene.random.integer(1, sharesTotal);
  const chosen = acts.find(([share]) => {
    left -= share;
    return left <= 0;
  });
  await chosen?.[1](scene, place, scene.namesOf(place));
}

const switched = (isOff: boolean) => ({ state: isOff ? 'off' : 'active' });

/** Each of three replaces the one before, both at once or not: the last one gets what waits in the jobs of others. */
async function chain({ put, anyPlace, random }: Scene, first: Place, names: readonly string[]) {
  const [second, third] = [anyPlace(), anyPlace()];
  const moved = put(second, names, first);
  if (random.chance(0.5)) await moved;
  await Promise.all([moved, put(third, names, second)]);
}

/** As n8n publishes again, but in any order of arrival. */
async function publish({ put, end, random }: Scene, place: Place, names: readonly string[]) {
  const asks = [() => end(place), () => put(place, names)];
  await Promise.all((random.chance(0.5) ? asks : asks.toReversed()).map((ask) => ask()));
}

/** What died, or what is missing; beside it, at times, the same again, off and on, or other types. */
async function redeliver({ put, ask, random }: Scene, place: Place) {
  const what = random.chance(0.5) ? { states: ['dead'] } : { missing: true };
  const again = () => ask(place, 'POST', '/redeliver', what);
  const offAndOn = async () => {
    for (const isOff of [true, false]) await ask(place, 'PATCH', '', switched(isOff));
  };
  const change = () => put(place, random.pick(wanted));
  const beside = [again, offAndOn, change].filter(() => random.chance(0.3));
  await Promise.all([again, ...beside].map((one) => one()));
}

/** For a moment. */
async function gone({ targets, random }: Scene, { target }: Place) {
  const plan = targets.plans[target];
  if (!plan || random.chance(0.5)) return;
  plan.isGone = true;
  await wait(random.integer(5, 40));
  plan.isGone = false;
}
