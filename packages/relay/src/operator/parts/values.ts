import { html } from 'hono/html';
import type { Html } from '../view.ts';

export { reasonText } from '../../records/reason-text.ts';

/** Good, bad, or waiting. The word carries the meaning; the color only helps. */
const tones: Readonly<Record<string, string>> = {
  active: 'good',
  delivered: 'good',
  pending: 'waiting',
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
