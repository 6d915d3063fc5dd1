import type { Selectable } from 'kysely';
import type { RelayContext } from '../../context.ts';
import type { HourlyCountTable } from '../../database/tables.ts';

export const ranges = {
  hours: { label: 'Last 24 hours', slotMs: 3_600_000, slots: 24 },
  days: { label: 'Last 14 days', slotMs: 24 * 3_600_000, slots: 14 },
} as const;

export type RangeName = keyof typeof ranges;

export interface Slot extends Omit<Selectable<HourlyCountTable>, 'hour'> {
  /** Its start, in milliseconds since 1970. */
  readonly at: number;
}

/** The hours or days up to now, first one first. Reads a row for each hour with events. */
export async function readActivity(
  { db, clock }: Pick<RelayContext, 'db' | 'clock'>,
  range: RangeName,
): Promise<readonly Slot[]> {
  const { slotMs, slots } = ranges[range];
  const last = Math.floor(clock.now() / slotMs) * slotMs;
  const starts = Array.from({ length: slots }, (_, nth) => last - (slots - 1 - nth) * slotMs);
  const rows = await db
    .selectFrom('hourly_count')
    .selectAll()
    .where('hour', '>=', new Date(starts[0] ?? last))
    .where('hour', '<', new Date(last + slotMs))
    .execute();
  return starts.map((at) => {
    const inside = rows.filter(({ hour }) => Math.floor(hour.getTime() / slotMs) * slotMs === at);
    const sum = (name: 'events' | 'deliveries' | 'failures') =>
      inside.reduce((total, row) => total + row[name], 0);
    return { at, events: sum('events'), deliveries: sum('deliveries'), failures: sum('failures') };
  });
}
