import { html } from 'hono/html';
import type { Html } from '../view.ts';

/** Such as 2027-03-01 09:00:00, in UTC; a dash for none. */
export function moment(at: string | number | null): Html {
  if (at === null) return html`<span class="quiet">-</span>`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;
}
