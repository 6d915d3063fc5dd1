import { type Selectable, sql } from 'kysely';
import type { HourlyCountTable } from '../base/tables.ts';
import type { Observer, RelayContext } from '../log/context.ts';

type Counted = 'events' | 'deliveries' | 'failures';
type Counts = Readonly<Record<Counted, number>>;

const hourMs = 3_600_000;
const flushAfterMs = 2_000;
const none: Counts = { events: 0, deliveries: 0, failures: 0 };

/**
 * Counts stored events, and attempts that delivered or failed (not those ignored), by the hour, for
 * the plot on the operator's page. Adds them to the database every two seconds at most: counting
 * rows would read all of them, and counting in the statements that write them would make processes
 * wait for each other. If a process dies, its last two seconds are missing in the plot.
 */
export class HourlyCounts implements Partial<Observer> {
  readonly #context: Pick<RelayContext, 'db' | 'clock'>;
  #counts = new Map<number, Counts>();
  #cancel: (() => void) | undefined;

  constructor(context: Pick<RelayContext, 'db' | 'clock'>) {
    this.#context = context;
  }

  ingested({ result }: Parameters<Observer['ingested']>[0]): void {
    if (result === 'stored') this.#count('events');
  }

  attempted({ state }: Parameters<Observer['attempted']>[0]): void {
    if (state !== 'ignored') this.#count(state === 'delivered' ? 'deliveries' : 'failures');
  }

  /** Writes what was counted so far. If the database is away, keeps it for the next time. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    const rows = [...counts].map(([hour, values]) => ({ hour: new Date(hour), ...values }));
    const added = (name: Counted) =>
      sql<number>`hourly_count.${sql.ref(name)} + excluded.${sql.ref(name)}`;
    try {
      await this.#context.db
        .insertInto('hourly_count')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('hour').doUpdateSet({
            events: added('events'),
            deliveries: added('deliveries'),
            failures: added('failures'),
          }),
        )
        .execute();
    } catch {
      // Metrics and readiness tell that the database is away.
      for (const [hour, values] of counts) this.#add(hour, values);
    }
  }

  #count(name: Counted): void {
    const { clock } = this.#context;
    this.#add(Math.floor(clock.now() / hourMs) * hourMs, { ...none, [name]: 1 });
    this.#cancel ??= clock.schedule(clock.now() + flushAfterMs, () => {
      void clock.track(this.flush());
    });
  }

  #add(hour: number, more: Counts): void {
    const { events, deliveries, failures } = this.#counts.get(hour) ?? none;
    this.#counts.set(hour, {
      events: events + more.events,
      deliveries: deliveries + more.deliveries,
      failures: failures + more.failures,
    });
  }
}

export const activityRanges = {
  hours: { label: 'Last 24 hours', slotMs: 3_600_000, slots: 24 },
  days: { label: 'Last 14 days', slotMs: 24 * 3_600_000, slots: 14 },
} as const;

export type ActivityRangeName = keyof typeof activityRanges;

export interface ActivitySlot extends Omit<Selectable<HourlyCountTable>, 'hour'> {
  /** Its start, in milliseconds since 1970. */
  readonly at: number;
}

/** The hours or days up to now, first one first. Reads a row for each hour with events. */
export async function readActivity(
  { db, clock }: Pick<RelayContext, 'db' | 'clock'>,
  range: ActivityRangeName,
): Promise<readonly ActivitySlot[]> {
  const { slotMs, slots } = activityRanges[range];
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
