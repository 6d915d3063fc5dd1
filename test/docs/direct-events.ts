import { events } from '@screen-advertising/core';
import { read } from '../structure/project.ts';

export const eventGuide = 'docs/receive-events.md';

const listed = /(?<=^The events are ).*(?=\.$)/m;

/** The guide to events with the names of those that exist. */
export function eventGuidePage(): string {
  const names = Object.keys(events).map((name) => `\`${name}\``);
  const [last] = names.splice(-1);
  return read(eventGuide).replace(listed, () => `${names.join(', ')} and ${last}`);
}
