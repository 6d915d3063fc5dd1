import { events } from '@screen-advertising/core';
import { eventTrigger } from '../lib/event-trigger.ts';

/** One trigger for every event of the catalogue, by key. */
export const eventTriggers = Object.fromEntries(
  Object.values(events).map((event) => {
    const trigger = eventTrigger(event);
    return [trigger.key, trigger];
  }),
);
