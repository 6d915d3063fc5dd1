import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import {
  type CallOptions,
  type Client,
  type Clock,
  clientCredentials,
  operations,
  type Transport,
} from '@screen-advertising/core';
import { useBench } from '../../shared/support/bench.ts';
import type { Step } from '../../shared/support/scripted-service.ts';
import { page, problem, reset, token } from '../../shared/support/steps.ts';
import { eventually } from '../../support/eventually.ts';

const bench = useBench();
const auth = clientCredentials({ clientId: 'the-client', clientSecret: 'the-client-secret' });
const coupon = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
  code: 'A',
} as const;

type Script = Readonly<Record<string, readonly Step[]>>;

interface Story {
  readonly name: string;
  readonly script: Script;
  tell(client: Client, options: CallOptions): Promise<unknown>;
}

/** Everything that a client does for a caller on its own. */
const stories: readonly Story[] = [
  {
    name: 'a coupon whose answer is lost, with trouble on every side',
    script: {
      'POST /oauth/token': [problem(503), token('t1'), token('t2')],
      'POST /coupons': [
        problem(429, { retry_after: 1 }),
        problem(401),
        problem(503),
        reset,
        problem(409),
      ],
      'GET /coupons/A': [problem(502), { body: coupon }],
    },
    tell: (client, options) => client.coupons.create(coupon, options),
  },
  {
    name: 'a list read ahead of its reader',
    script: {
      'POST /oauth/token': [token('t1')],
      'GET /screens': [
        page([{ id: 'a' }], 'c1', true),
        page([{ id: 'b' }], 'c2', true),
        problem(503),
        page([{ id: 'c' }], null, false),
      ],
    },
    async tell(client, options) {
      const ids: unknown[] = [];
      for await (const { id } of client.items(operations['screen.list'], {}, options)) ids.push(id);
      return ids;
    },
  },
];

/**
 * A transport that counts the moments of a call: before and after each request and each wait.
 * At the chosen one it strikes, `promisesLater` promises later.
 */
class Moments {
  count = 0;
  readonly #chosen: number;
  readonly #promisesLater: number;
  readonly #strike: () => void;

  constructor(chosen: number, promisesLater: number, strike: () => void) {
    this.#chosen = chosen;
    this.#promisesLater = promisesLater;
    this.#strike = strike;
  }

  /** The same transport and clock, counted. To the client each result is a separate process. */
  of({ clock, send }: Transport): Transport {
    const counted: Clock = {
      now: () => clock.now(),
      sleep: (ms, signal) => this.#around(() => clock.sleep(ms, signal)),
    };
    return { clock: counted, send: (request) => this.#around(() => send(request)) };
  }

  async #around<T>(work: () => Promise<T>): Promise<T> {
    await this.#pass();
    try {
      return await work();
    } finally {
      await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    this.count += 1;
    if (this.count !== this.#chosen) return;
    if (this.#promisesLater === 0) this.#strike();
    else void this.#strikeLater();
  }

  async #strikeLater(): Promise<void> {
    for (let nth = 0; nth < this.#promisesLater; nth += 1) await undefined;
    this.#strike();
  }
}

/** Plays a story that is aborted at a given moment. Returns false when it ended before that. */
async function endedAt(
  { script, tell }: Story,
  chosen: number,
  promisesLater: number,
  options: CallOptions,
): Promise<boolean> {
  bench.begin();
  for (const [route, steps] of Object.entries(script)) bench.service.on(route, ...steps);
  const caller = new AbortController();
  const reason = new Error('The caller has left.');
  let hasLeft = false;
  const moments = new Moments(chosen, promisesLater, () => {
    hasLeft = true;
    caller.abort(reason);
  });
  const transport = moments.of(bench.transport);
  // With one slot and one token for all, whatever an abort keeps shows at once.
  const client = bench.client({ auth, transport, rateLimit: { requests: 1, perMs: 1000 } });
  const outcome = tell(client, { ...options, signal: caller.signal }).then(
    () => 'done',
    (error: unknown) => error,
  );
  const ending = await bench.clock.run(outcome);
  await bench.clock.settle();
  expect(hasLeft ? ['done', reason] : ['done']).toContain(ending);
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  expect(bench.clock.sleeping).toBe(0);
  await eventually(() => bench.service.held === 0);
  if (!hasLeft) return false;

  bench.service.on('POST /oauth/token', token('t3'));
  bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
  const next = client.screens.get({ screenId: 'scr_1' });
  expect(await bench.clock.run(next)).toEqual({ id: 'scr_1' });
  return true;
}

describe.each([
  ['', {}],
  [', under a deadline', { deadlineMs: 3_600_000 }],
])(
  'an abort at any moment%s leaves nothing behind: no wait, no listener, no slot, no token in flight',
  (_with, options) => {
    it.each(stories)('$name', async (story) => {
      for (const promisesLater of [0, 1, 2, 3, 5, 8]) {
        let moment = 1;
        while (await endedAt(story, moment, promisesLater, options)) moment += 1;
        expect(moment).toBeGreaterThan(15);
      }
    });
  },
);
