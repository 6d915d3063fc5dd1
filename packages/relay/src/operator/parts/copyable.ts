import { html } from 'hono/html';
import type { Html } from '../view.ts';

/** A value with a button that copies it. Without scripts, one click selects the whole value. */
export function copyable(value: string, what: string): Html {
  return html`<span class="copyable"><code class="whole">${value}</code>
<button type="button" class="small" data-copy="${value}" aria-label="Copy ${what}">Copy</button></span>`;
}
