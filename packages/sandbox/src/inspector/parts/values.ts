import { html } from 'hono/html';
import type { Html } from '../view.ts';

/** Good, bad, or waiting. The word carries the meaning; the color only helps. */
const tones: Readonly<Record<string, string>> = {
  active: 'good',
  delivered: 'good',
  converted: 'good',
  bookable: 'good',
  pending: 'waiting',
  open: 'waiting',
  exhausted: 'bad',
  rejected: 'bad',
  revoked: 'bad',
  expired: 'bad',
};

export function badge(word: string): Html {
  return html`<span class="badge ${tones[word] ?? ''}">${word.replaceAll('_', ' ')}</span>`;
}

/** The status of an HTTP response; null if there was none. */
export function statusBadge(status: number | null): Html {
  const tone = status !== null && status < 400 ? 'good' : 'bad';
  return html`<span class="badge ${tone}">${status ?? 'no response'}</span>`;
}

/** For example 2027-03-01 09:00:00, in UTC; a dash for none. */
export function moment(at: string | number | null): Html {
  if (at === null) return html`<span class="quiet">-</span>`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;
}

/** A value with a copy button. `of` distinguishes the buttons for screen readers. */
export function copyField(label: string, value: string, of = ''): Html {
  return html`<div class="copy">
<dt>${label}</dt>
<dd><code>${value}</code>
<button type="button" class="small" data-copy="${value}" aria-label="Copy ${label}${of && ` of ${of}`}">Copy</button></dd>
</div>`;
}
