import type { ZapierRunner } from './zapier.ts';

type Found = Record<string, unknown>;

/**
 * A Zap that polls, as Zapier runs it. Records that exist when the Zap is switched on count as
 * known. Each poll then starts a run for every record whose primary fields are new, oldest first.
 */
export async function switchOnZap(
  runner: ZapierRunner,
  trigger: { key: string; primary: readonly string[]; inputData?: Found },
) {
  const { key, primary, inputData = {} } = trigger;
  const seen = new Set<string>();
  const keyOf = (record: Found): string => JSON.stringify(primary.map((name) => record[name]));
  const isNew = (record: Found): boolean => {
    const before = seen.size;
    return seen.add(keyOf(record)).size > before;
  };
  const known = await runner.poll(key, inputData, { isPopulatingDedupe: true });
  known.filter(isNew);
  return {
    /** The records of the runs that this poll starts, in order. */
    async poll(): Promise<Found[]> {
      const found = await runner.poll(key, inputData);
      return found.filter(isNew).toReversed();
    },
  };
}
