import { html } from 'hono/html';
import type { Html } from '../view.ts';

/** A value to take along. `of` tells buttons apart for people who only hear them. */
export function copyField(label: string, value: string, of = ''): Html {
  return html`<div class="copy">
<dt>${label}</dt>
<dd><code>${value}</code>
<button type="button" class="small" data-copy="${value}" aria-label="Copy ${label}${of && ` of ${of}`}">Copy</button></dd>
</div>`;
}
