/** Runs a client at its full rate limit for 30 minutes, with trouble of every kind. */
import { getEventListeners } from 'node:events';
import { type Client, clientCredentials, createClient } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { createSandbox } from '@screen-advertising/sandbox';
import { SimulatedClock } from '../../shared/support/simulated-clock.ts';

/** What a program that ran for a while still holds. */
export interface Held {
  /** Bytes in use after each round, once everything that can go has gone. */
  readonly heap: readonly number[];
  /** What would keep the process alive after all was closed, as Node names it. */
  readonly resources: readonly string[];
  /** How many calls were made. */
  readonly calls: number;
}

/** Runs the rounds, closes, and prints what is held as JSON. Needs `--expose-gc`. */
async function watchMemory(
  rounds: number,
  round: () => Promise<number>,
  close: () => Promise<unknown>,
): Promise<void> {
  const heap: number[] = [];
  let calls = 0;
  for (let nth = 0; nth < rounds; nth += 1) {
    calls += await round();
    heap.push(await heapUsed());
  }
  await close();
  await quiet();
  const held: Held = { heap, calls, resources: process.getActiveResourcesInfo().filter(isOurs) };
  process.stdout.write(`\n${JSON.stringify(held)}\n`, () => process.exit());
}

async function heapUsed(): Promise<number> {
  if (!globalThis.gc) throw new Error('Start this with --expose-gc.');
  await quiet();
  globalThis.gc();
  await quiet();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Lets what was closed just now say so. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

/** The streams of the process are not. */
function isOurs(resource: string): boolean {
  return !['PipeWrap', 'TTYWrap', 'Immediate', 'FSReqCallback'].includes(resource);
}

const perMinute = 600;
const lanes = 20;

const sandbox = createSandbox({ clock: 'frozen', screens: 20 });
const { baseUrl } = await sandbox.listen();
const [{ clientId, clientSecret }] = sandbox.accesses;
const undici = undiciTransport();
let inFlight = 0;
const clock = new SimulatedClock(() => inFlight === 0, sandbox.clock.now());
const client = createClient({
  baseUrl,
  auth: clientCredentials({ clientId, clientSecret }),
  transport: {
    clock,
    async send(request) {
      inFlight += 1;
      try {
        await sandbox.clock.advance(Math.max(0, clock.now() - sandbox.clock.now()));
        return await undici.send(request);
      } finally {
        inFlight -= 1;
      }
    },
  },
});

const forAll = new AbortController();
let last = 0;

/** One call after another, of every kind; what fails has its own tests. */
async function call({ coupons, screens, users }: Client): Promise<void> {
  const nth = ++last;
  const caller = new AbortController();
  const signal = nth % 3 === 0 ? caller.signal : forAll.signal;
  const options = nth % 2 === 0 ? { signal, deadlineMs: 90_000 } : { signal };
  const code = `CODE-${nth - (nth % 5)}`;
  const kinds = [
    () =>
      coupons.create(
        { code, discount_type: 'free_days', discount_value: 1, lead_email: `${nth}@example.com` },
        options,
      ),
    () => coupons.get({ code }, options),
    () => coupons.revoke({ code }, options),
    () => screens.list({ limit: 5 }, options),
    () => users.lookup({ email: 'lead@example.com' }, options),
  ];
  const work = kinds[nth % kinds.length]?.();
  if (nth % 9 === 0) setImmediate(() => caller.abort());
  await work?.catch(() => undefined);
}

async function minute(): Promise<number> {
  sandbox.reset();
  sandbox.faults.add({ fault: 'status', status: 503, probability: 0.02 });
  sandbox.faults.add({ fault: 'status', status: 401, probability: 0.01 });
  sandbox.faults.add({ fault: 'reset', when: 'after', probability: 0.01 });
  sandbox.faults.add({ fault: 'truncated-body', probability: 0.01 });
  const lane = async (): Promise<void> => {
    for (let nth = 0; nth < perMinute / lanes; nth += 1) await call(client);
  };
  await clock.run(Promise.all(Array.from({ length: lanes }, lane)));
  const listeners = getEventListeners(forAll.signal, 'abort').length;
  if (listeners > 0) throw new Error(`${listeners} listeners are left on the caller's signal.`);
  if (clock.sleeping > 0) throw new Error(`${clock.sleeping} waits are left.`);
  return perMinute;
}

const startedAt = clock.now();
await watchMemory(30, minute, () => {
  if (clock.now() - startedAt < 29 * 60_000) throw new Error('That was less than half an hour.');
  return Promise.all([undici.close(), sandbox.close()]);
});
