import { fc } from '@fast-check/jest';
import { type Coupon, operations, ScreenAdvertisingError } from '@screen-advertising/core';
import { checkPromises, type Failure, failures, type Scene, serviceLimit } from './scene.ts';

/** The service itself is the model: it is on this machine, so what it holds can be looked at. */
type Command = fc.AsyncCommand<object, Scene>;

const codes = ['A', 'B'] as const;
const leads = ['one@example.com', 'two@example.com'] as const;

/** A command whose name is enough to understand a failure. */
function command(name: string, run: (scene: Scene) => Promise<void>): Command {
  return {
    check: () => true,
    async run(_model, scene) {
      await run(scene);
      checkPromises(scene);
    },
    toString: () => name,
  };
}

function withTroubles(name: string, met: readonly Failure[]): string {
  return met.length > 0 ? `${name}[${met.join(', ')}]` : name;
}

/** The error of a call that failed; anything but a typed error breaks the promise. */
async function failureOf(work: Promise<unknown>): Promise<ScreenAdvertisingError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (ScreenAdvertisingError.isInstance(error)) return error;
    throw error;
  }
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const couponsNow = (scene: Scene) => new Map(scene.sandbox.coupons.list().map((c) => [c.code, c]));

function stateOf(scene: Scene, code: string): string {
  const coupon = couponsNow(scene).get(code);
  if (!coupon) return 'absent';
  if (coupon.revoked_at) return 'revoked';
  return coupon.redeemed_at ? 'redeemed' : 'active';
}

function hasActive(scene: Scene, lead: string): boolean {
  const own = [...couponsNow(scene).values()].filter((coupon) => coupon.lead_email === lead);
  return own.some(({ code }) => stateOf(scene, code) === 'active');
}

export function create(
  code: string | undefined,
  lead: string,
  value: number,
  met: Failure[],
): Command {
  return command(withTroubles(`create(${code}, ${lead}, ${value})`, met), async (scene) => {
    const before = couponsNow(scene);
    const fields = { discount_type: 'percent', discount_value: value, lead_email: lead } as const;
    let created: Coupon | undefined;
    const failure = await failureOf(
      scene.run(met, async () => {
        created = await scene.client.coupons.create({ ...fields, ...(code && { code }) });
      }),
    );
    const after = couponsNow(scene);
    const added = [...after.keys()].filter((one) => !before.has(one));
    must(added.length <= 1, `${added.length} coupons were created by one call`);
    if (failure) {
      const mayExist = failure.code === 'outcome_unknown';
      must(added.length === 0 || mayExist, `${failure.code}, and yet a coupon was created`);
      const isTold = mayExist && code === undefined && failure.status === 409;
      must(!isTold || hasActive(scene, lead), 'an active coupon was told of that is not there');
      return;
    }
    const stored = after.get(String(created?.code));
    must(stored !== undefined, 'a coupon was reported that is not there');
    must(
      stored?.lead_email === lead && stored.discount_value === value,
      'another coupon was given',
    );
    must(stateOf(scene, String(created?.code)) === 'active', 'an ended coupon was given as new');
    must(created?.status === 'active', 'a new coupon was not reported as active');
  });
}

export function get(code: string, met: Failure[]): Command {
  return command(withTroubles(`get(${code})`, met), async (scene) => {
    let found: Coupon | undefined;
    const failure = await failureOf(
      scene.run(met, async () => {
        found = await scene.client.coupons.get({ code });
      }),
    );
    const state = stateOf(scene, code);
    if (failure) must(failure.code !== 'not_found' || state === 'absent', 'a coupon was not found');
    else must(found?.status === state, `a coupon that is ${state} was given as ${found?.status}`);
  });
}

export function revoke(code: string, met: Failure[]): Command {
  return command(withTroubles(`revoke(${code})`, met), async (scene) => {
    const before = stateOf(scene, code);
    const failure = await failureOf(scene.run(met, () => scene.client.coupons.revoke({ code })));
    const after = stateOf(scene, code);
    if (!failure) must(after === 'revoked', `a coupon that is ${after} was reported as revoked`);
    else if (failure.code !== 'outcome_unknown') {
      must(after === before, `${failure.code}, and yet the coupon was revoked`);
    }
  });
}

/** A lead redeems a coupon in the meantime. */
function redeem(code: string): Command {
  return command(`redeem(${code})`, async (scene) => {
    if (stateOf(scene, code) === 'active') await scene.sandbox.coupons.redeem(code);
  });
}

function list(limit: number, met: Failure[]): Command {
  return command(withTroubles(`list(${limit})`, met), async (scene) => {
    const ids: string[] = [];
    const failure = await failureOf(
      scene.run(met, async () => {
        const screens = scene.client.items(operations['screen.list'], { limit });
        for await (const { id } of screens) ids.push(id);
      }),
    );
    const bookable = scene.sandbox.screens.list().filter((screen) => screen.bookable);
    const wanted = bookable.map(({ id }) => id).slice(0, failure ? ids.length : undefined);
    must(ids.join() === wanted.join(), `the list gave ${ids} in place of ${wanted}`);
  });
}

/** More calls at once than the rate limit allows. */
export function burst(count: number, met: Failure[]): Command {
  return command(withTroubles(`burst(${count})`, met), async (scene) => {
    const calls = Array.from({ length: count }, () =>
      failureOf(scene.client.users.lookup({ email: leads[0] })),
    );
    await scene.run(met, () => Promise.all(calls));
  });
}

/** The same coupon from several sides at once: one of them gets it. */
function race(code: string, met: Failure[]): Command {
  return command(withTroubles(`race(${code})`, met), async (scene) => {
    const before = couponsNow(scene);
    await scene.run(met, async () => {
      const creating = leads.map((lead_email) =>
        failureOf(
          scene.client.coupons.create({
            discount_type: 'percent',
            discount_value: 20,
            lead_email,
            code,
          }),
        ),
      );
      const failures = await Promise.all(creating);
      const given = failures.filter((failure) => failure === undefined).length;
      must(given <= 1, `${given} callers were given the same coupon`);
    });
    const added = [...couponsNow(scene).keys()].filter((one) => !before.has(one));
    must(added.length <= 1, `${added.length} coupons were created with one code`);
  });
}

function pass(seconds: number): Command {
  return command(`pass(${seconds} s)`, (scene) => scene.pass(seconds * 1000));
}

const code = fc.constantFrom(...codes);
const lead = fc.constantFrom(...leads);
/** Most requests are well, and of some commands every request is. */
const met: fc.Arbitrary<Failure[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant('none' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...failures) },
  ),
  { maxLength: 5 },
);

export const commands = fc.commands(
  [
    fc
      .tuple(fc.option(code, { nil: undefined, freq: 6 }), lead, fc.constantFrom(10, 10, 20), met)
      .map((a) => create(...a)),
    fc.tuple(code, met).map((a) => get(...a)),
    fc.tuple(code, met).map((a) => revoke(...a)),
    code.map(redeem),
    fc.tuple(fc.constantFrom(1, 5, 200), met).map((a) => list(...a)),
    fc.tuple(fc.integer({ min: 2, max: serviceLimit.requests + 5 }), met).map((a) => burst(...a)),
    fc.tuple(code, met).map((a) => race(...a)),
    fc.constantFrom(1, 30, 61, 3500, 3700).map(pass),
  ],
  { maxCommands: 8 },
);
