import { parseEvent } from '@screen-advertising/core';
import { escapeInvisible } from '@screen-advertising/core/platform';
import { createBadge, formatMoment, type Html } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';

export { copyableValue, factList, formatMoment } from '@screen-advertising/server-kit/pages';
export { reasonText } from '../base/stored-values.ts';

/** A state of a delivery, subscription or token, or of a step of the set-up. */
export const stateBadge = createBadge({
  good: ['active', 'delivered', 'done'],
  waiting: ['pending', 'waiting', 'ignored', 'to do'],
  bad: ['revoked', 'dead', 'off'],
});

/** For example `5 min ago (2027-03-01 09:00:00)`, in UTC. */
export function timeWithAge(at: Date, now: number): Html {
  const length = timeBetween(at, now);
  return html`${at.getTime() > now ? `in ${length}` : `${length} ago`} (${formatMoment(at)})`;
}

/** For example `5 min`, or `less than a minute`. */
export function timeBetween(at: Date, now: number): string {
  const minutes = Math.round(Math.abs(now - at.getTime()) / 60_000);
  const hours = Math.round(minutes / 60);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** A name as people read it: without the tag by which n8n's trigger finds its own subscriptions. */
export function shownName(name: string | null): string | null {
  return name && escapeInvisible(name).replace(/ \((n8n(?:, test)?) [0-9a-f]{16}\)$/, ' ($1)');
}

const maxAbout = 200;

/**
 * How people recognize an event: by the code and the email addresses in it, else by an ID in its data,
 * else by the ID that the service gave it.
 */
export function eventSummary(body: Uint8Array | null): string | undefined {
  if (body === null) return undefined;
  const { data, id } = parseEvent(body);
  const texts = Object.entries(data).filter(([, value]) => typeof value === 'string');
  const known = texts.filter(([name]) => name === 'code' || /(^|_)email$/.test(name));
  const named =
    known.length > 0 ? known : texts.filter(([name]) => /(^|_)id$/.test(name)).slice(0, 1);
  const about = named.length > 0 ? named.map(([, value]) => value).join(', ') : id;
  return about && escapeInvisible(about).slice(0, maxAbout);
}

/** The ID that the service gave the event; undefined without one, or for a body that was not read. */
export function payloadId(body: Uint8Array | null): string | undefined {
  return body === null ? undefined : parseEvent(body).id;
}
