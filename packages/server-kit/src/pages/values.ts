import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Which words are good, bad, or waiting. The word carries the meaning; the color only helps. */
type Tones = Readonly<Record<'good' | 'waiting' | 'bad', readonly string[]>>;

/** Makes a badge of a word in the tone that it has in this product. */
export function badgeOf(tones: Tones): (word: string, label?: string) => Html {
  return (word, label = word.replaceAll('_', ' ')) => {
    const [tone = ''] = Object.entries(tones).find(([, words]) => words.includes(word)) ?? [];
    return html`<span class="badge ${tone}">${label}</span>`;
  };
}

/** The status of an HTTP response; null if there was none. */
export function statusBadge(status: number | null): Html {
  const tone = status !== null && status < 400 ? 'good' : 'bad';
  return html`<span class="badge ${tone}">${status ?? 'no response'}</span>`;
}

/** For example 2027-03-01 09:00:00, in UTC; a dash for none. */
export function moment(at: Date | string | number | null): Html {
  if (at === null) return html`<span class="quiet">-</span>`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;
}

/** A list of names and values. */
export function facts(
  rows: readonly (readonly [name: string, value: Html | string])[],
  className = 'card',
): Html {
  return html`<dl class="${className}">${rows.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`,
  )}</dl>`;
}

/** A value with a button that copies it. Without scripts, one click selects the whole value. */
export function copyable(value: string, what: string): Html {
  return html`<span class="copyable"><code class="whole">${value}</code>
<button type="button" class="small" data-copy="${value}" aria-label="Copy ${what}">Copy</button></span>`;
}
