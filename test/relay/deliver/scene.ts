import { type Running, startAt } from '../support/running-relay.ts';

export const hour = 3_600_000;
/** Seconds before each retry, without jitter. */
const waits = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** When each attempt is made, in seconds after the first. */
export const schedule = [0];
for (const wait of waits) schedule.push((schedule.at(-1) ?? 0) + wait);
export const firstRetryMs = (schedule[1] ?? 0) * 1_000;

export interface DeliveryRecord {
  readonly id: string;
  readonly event_type: string;
  readonly subscription_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly {
    readonly at: string;
    readonly status: number | null;
    readonly error: string | null;
    readonly duration_ms: number;
  }[];
}

/**
 * Subscribes a target to a separate event and delivers that event. Returns the subscription's ID.
 */
export async function deliverTo(running: Running, type: string, target: string): Promise<string> {
  // The relay accepts a name that is not the service's own only once it has received it.
  await running.deliver({ id: `before ${type}`, type });
  const body = { target_url: target, events: [type] };
  const subscribed = await running.call('PUT', '/subscriptions', body);
  if (subscribed.status > 201) throw new Error(subscribed.body.detail);
  await running.deliver({ id: type, type });
  return subscribed.body.id;
}

/** All deliveries, by the type of their event. */
export async function deliveriesOf(running: Running): Promise<Map<string, DeliveryRecord>> {
  const { body } = await running.call('GET', '/deliveries?limit=200');
  const records: DeliveryRecord[] = body.data;
  return new Map(records.map((record) => [record.event_type, record]));
}

/** Seconds since the start of the test. */
export function secondsOf(delivery: DeliveryRecord | undefined): number[] {
  const attempts = delivery?.attempts ?? [];
  return attempts.map(({ at }) => (Date.parse(at) - Date.parse(startAt)) / 1000);
}
