import { parseEvent } from '@screen-advertising/core';
import { visibleText } from '@screen-advertising/core/platform';
import { html } from 'hono/html';
import type { Html } from '../view.ts';

export { reasonText } from '../../records/reason-text.ts';

/** Good, bad, or waiting. The word carries the meaning; the color only helps. */
const tones: Readonly<Record<string, string>> = {
  active: 'good',
  delivered: 'good',
  pending: 'waiting',
  ignored: 'waiting',
  dead: 'bad',
  off: 'bad',
  revoked: 'bad',
  done: 'good',
  'to do': 'waiting',
};

export function badge(word: string, label: string = word): Html {
  return html`<span class="badge ${tones[word] ?? ''}">${label}</span>`;
}

/** For example 2027-03-01 09:00:00, in UTC; a dash for none. */
export function moment(at: Date | string | null): Html {
  if (at === null) return html`<span class="quiet">-</span>`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;
}

export function facts(rows: readonly (readonly [name: string, value: Html | string])[]): Html {
  return html`<dl class="card">${rows.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`,
  )}</dl>`;
}

/** A value with a button that copies it. Without scripts, one click selects the whole value. */
export function copyable(value: string, what: string): Html {
  return html`<span class="copyable"><code class="whole">${value}</code>
<button type="button" class="small" data-copy="${value}" aria-label="Copy ${what}">Copy</button></span>`;
}

/** A name as people read it: without the tag by which n8n's trigger finds its own subscriptions. */
export function shownName(name: string | null): string | null {
  return name && visibleText(name).replace(/ \((n8n(?:, test)?) [0-9a-f]{16}\)$/, ' ($1)');
}

/** The ID that the service gave the event; undefined without one, or for a body that was not read. */
export function payloadId(body: Uint8Array | null): string | undefined {
  return body === null ? undefined : parseEvent(body).id;
}
