/** Which tests run, and how long. docs/developing.md says what each tier is for. */
type Tier = 'everyday' | 'full' | 'nightly';

const shares: Record<Tier, number> = { everyday: 1 / 20, full: 1 / 4, nightly: 20 };

export const tier = tierNamed(process.env.TEST_TIER ?? 'everyday');

/** How many generated cases a test runs: its share of this number. */
export function cases(count: number): number {
  return Math.ceil(count * shares[tier]);
}

/** Rows of a table: all of them nightly, otherwise this many, spread over the table. */
export function sampleOf<Row>(rows: readonly Row[], most: number): readonly Row[] {
  if (tier === 'nightly') return rows;
  const step = Math.max(1, rows.length / most);
  return rows.filter((_, nth) => nth % step < 1);
}

/**
 * The seed of generated cases: the same in every run, except that each nightly run has a new one. Set
 * `TEST_SEED` to replay a run; jest.begin.ts sets it for nightly runs.
 */
export const seed = Number(process.env.TEST_SEED ?? 20261121);

function tierNamed(name: string): Tier {
  if (Object.hasOwn(shares, name)) return name as Tier;
  throw new Error(`TEST_TIER must be one of ${Object.keys(shares).join(', ')}; it is ${name}.`);
}
