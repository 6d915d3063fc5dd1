/** Which tests run, and how long: docs/developing.md says what each tier is for. */
type Tier = 'everyday' | 'full' | 'soak';

const shares: Record<Tier, number> = { everyday: 1 / 20, full: 1, soak: 20 };

export const tier = tierNamed(process.env.TEST_TIER ?? 'everyday');

/** How many generated cases a test plays, from their number in the full tier. */
export function cases(full: number): number {
  return Math.ceil(full * shares[tier]);
}

/** The rows of a table that a test plays: everyday a third of them, starting with the one named. */
export function sampled<Row>(rows: readonly Row[], first: 0 | 1 | 2 = 0): Row[] {
  return rows.filter((_, index) => tier !== 'everyday' || index % 3 === first);
}

/**
 * What generated cases grow from: the same in every run, but a new one in each soak run.
 * `TEST_SEED` plays a run again; jest.begin.ts sets it for soak runs.
 */
export const seed = Number(process.env.TEST_SEED ?? 20261121);

function tierNamed(name: string): Tier {
  if (Object.hasOwn(shares, name)) return name as Tier;
  throw new Error(`TEST_TIER must be one of ${Object.keys(shares).join(', ')}; it is ${name}.`);
}
