import type { EventName } from '@screen-advertising/core';
import type { Variants } from '@screen-advertising/core/contract';

interface FiredEvent {
  readonly id: string;
  readonly type: EventName;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The raw text of a delivery, shaped by the variants (the contract shows no shape). */
export function eventBody(
  { eventName, eventId, eventData }: Variants,
  { id, type, createdAt, data }: FiredEvent,
): string {
  const envelope = {
    ...(eventId !== 'absent' && { [eventId]: id }),
    [eventName]: type,
    created_at: createdAt,
  };
  // Flat: the record keeps its ID, as in services that put a record's fields next to the event
  // name.
  return JSON.stringify(
    eventData === 'flat'
      ? { ...envelope, ...data, [eventName]: type }
      : { ...envelope, [eventData]: data },
  );
}
