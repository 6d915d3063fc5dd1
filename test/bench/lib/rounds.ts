import { type Spread, spreadOf } from './spread.ts';

export type Contestants<Sample> = Readonly<Record<string, () => Promise<Sample>>>;

/**
 * Lets every contestant run once a round, each round starting with another one, so that whatever
 * slows the machine down for a while strikes all of them. The first round only warms up, unless
 * every run starts cold.
 */
export async function inRounds<Sample>(
  contestants: Contestants<Sample>,
  rounds: number,
  warmUps = 1,
): Promise<Record<string, Sample[]>> {
  const entries = Object.entries(contestants);
  const samples = new Map(entries.map(([name]): [string, Sample[]] => [name, []]));
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const first = round % entries.length;
    for (const [name, run] of [...entries.slice(first), ...entries.slice(0, first)]) {
      const sample = await run();
      if (round >= warmUps) samples.get(name)?.push(sample);
    }
  }
  return Object.fromEntries(samples);
}

/**
 * Of each contestant to the reference, round by round. Leaves out rounds in which the reference
 * took less than the clock's smallest step, and so 0.
 */
export function ratiosTo(
  reference: string,
  samples: Readonly<Record<string, readonly number[]>>,
): Record<string, Spread> {
  const base = samples[reference] ?? [];
  return Object.fromEntries(
    Object.entries(samples).map(([name, values]) => [
      name,
      spreadOf(
        values.map((value, round) => value / (base[round] || Number.NaN)).filter(Number.isFinite),
      ),
    ]),
  );
}

/** One figure of all samples of each contestant. */
export function pick<Sample>(
  samples: Readonly<Record<string, readonly Sample[]>>,
  value: (sample: Sample) => number,
): Record<string, number[]> {
  return Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, list.map(value)]));
}
