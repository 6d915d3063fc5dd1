import { writeSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type AssumptionName, assumptions, type Variants } from '@screen-advertising/core/contract';
import { tier } from '../support/tier.ts';
import { Bench } from './bench.ts';
import type { Row } from './row.ts';
import { accessRules } from './rows/access-rules.ts';
import { authenticationRows, tokenRows } from './rows/authentication.ts';
import { campaignRequestRows } from './rows/campaign-requests.ts';
import { couponRows } from './rows/coupons.ts';
import { errorRows, limitRows } from './rows/errors-and-limits.ts';
import { eventRows } from './rows/events.ts';
import { screenRows } from './rows/screens.ts';
import { landingLinkRows, userRows } from './rows/users-and-links.ts';

/** Every statement of the specification that can be checked, in the order of its sections. */
const rows: readonly Row[] = [
  ...accessRules,
  ...screenRows,
  ...couponRows,
  ...userRows,
  ...landingLinkRows,
  ...campaignRequestRows,
  ...tokenRows,
  ...authenticationRows,
  ...eventRows,
  ...errorRows,
  ...limitRows,
];

/**
 * Every combination of the accepted variants of these assumptions. The everyday tier runs only as
 * many as it takes to use each variant once.
 */
function combinations(names: readonly AssumptionName[]): Partial<Variants>[] {
  if (tier === 'everyday') {
    const most = Math.max(1, ...names.map((name) => assumptions[name].accepted.length));
    return Array.from({ length: most }, (_, turn) =>
      Object.fromEntries(names.map((name) => [name, inTurn(assumptions[name].accepted, turn)])),
    );
  }
  return names.reduce<Partial<Variants>[]>(
    (sets, name) =>
      sets.flatMap((set) => assumptions[name].accepted.map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
}

function inTurn<Value>(values: readonly Value[], turn: number): Value | undefined {
  return values[turn % values.length];
}

function label(variants: Partial<Variants>): string {
  const words = Object.entries(variants).map(([name, value]) => `${name}: ${value}`);
  return words.length > 0 ? ` [${words.join(', ')}]` : '';
}

async function run(row: Row, variants: Partial<Variants>): Promise<void> {
  const bench = await Bench.open(variants, row.requestsPerMinute);
  try {
    await row.check(bench);
  } finally {
    await bench.close();
  }
}

describe('the partner interface specification', () => {
  const failed = new Set<Row>();
  let runs = 0;

  for (const row of rows) {
    for (const variants of combinations(row.over ?? [])) {
      it(`${row.section}: ${row.says}${label(variants)}`, async () => {
        runs += 1;
        failed.add(row);
        await run(row, variants);
        failed.delete(row);
      });
    }
  }

  it('lists every statement once', () => {
    const statements = rows.map(({ section, says }) => `${section}: ${says}`);
    expect(new Set(statements).size).toBe(statements.length);
    expect(rows.length).toBeGreaterThan(80);
  });

  afterAll(() => {
    const holding = rows.length - failed.size;
    writeSync(
      1,
      `\ncontract: ${rows.length} rows, ${holding} hold, in ${runs} runs over the variants\n`,
    );
  });
});
