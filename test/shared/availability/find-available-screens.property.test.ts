import { fc, it as property } from '@fast-check/jest';
import { expect } from '@jest/globals';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { seed } from '../../support/tier.ts';
import { useBench } from '../support/bench.ts';
import { offer, period, type ScriptedScreen } from './screens.ts';

const bench = useBench();
const days = 10;

const shares = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map((step) => step * 12.5),
  fc.constantFrom('25', '12.5', null, 'none'),
);
const prices = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom('3', null));
const world = fc.array(
  fc.record({
    share: shares,
    perDay: prices,
    status: fc.constantFrom(undefined, undefined, undefined, 404, 500),
  }),
  { maxLength: 12 },
);

/** A literal reading of the contract, one screen after another. */
function bruteForce(
  screens: readonly ScriptedScreen[],
  least: number | undefined,
  budget: number | undefined,
) {
  const ids: { id: string; price: number; share: number }[] = [];
  const unknown: string[] = [];
  const gone: string[] = [];
  for (const { id, share, perDay, status } of screens) {
    const isShare = share !== null && share !== 'none';
    const price = perDay === null ? Number.POSITIVE_INFINITY : Number(perDay) * days;
    if (status === 404) gone.push(id);
    else if (status !== undefined || !isShare) unknown.push(id);
    else if (Number(share) === 0 || (least !== undefined && Number(share) < least)) continue;
    else if (budget !== undefined && perDay === null) unknown.push(id);
    else if (budget === undefined || price <= budget) ids.push({ id, price, share: Number(share) });
  }
  for (let at = 1; at < ids.length; at += 1) {
    for (let back = at; back > 0; back -= 1) {
      const [one, other] = [ids[back - 1], ids[back]];
      if (!one || !other || !isBehind(one, other)) break;
      ids.splice(back - 1, 2, other, one);
    }
  }
  return { found: ids.map(({ id }) => id), unknown: unknown.toSorted(), gone: gone.toSorted() };
}

type Found = { id: string; price: number; share: number };

function isBehind(one: Found, other: Found): boolean {
  if (one.price !== other.price) return one.price > other.price;
  if (one.share !== other.share) return one.share < other.share;
  return one.id > other.id;
}

property.prop(
  [
    world,
    fc.option(fc.constantFrom(12.5, 20, 25, 100), { nil: undefined }),
    fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 5 }),
  ],
  { numRuns: 60, seed },
)(
  'finds what looking at one screen after the other finds',
  async (drawn, least, budget, pageSize, concurrency) => {
    bench.begin();
    const screens = drawn.map((fields, at) => ({ ...fields, id: `s${at}` }));
    offer(bench.service, screens, pageSize);
    const { screens: found, ...left } = await findAvailableScreens(
      bench.client({ retry: false }),
      { ...period, min_available_sov_pct: least, budget_cents: budget },
      { concurrency },
    );
    expect({
      found: found.map(({ screen_id }) => screen_id),
      unknown: left.failures.map(({ screen }) => screen.id),
      gone: left.notBookable.map(({ id }) => id).toSorted(),
    }).toEqual(bruteForce(screens, least, budget));
  },
);
