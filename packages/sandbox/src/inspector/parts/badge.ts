import { html } from 'hono/html';
import type { Html } from '../view.ts';

/** Good, bad, or waiting for something; the word says it, the colour only helps. */
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

/** Of an HTTP answer; null when none came. */
export function statusBadge(status: number | null): Html {
  const tone = status !== null && status < 400 ? 'good' : 'bad';
  return html`<span class="badge ${tone}">${status ?? 'no answer'}</span>`;
}
