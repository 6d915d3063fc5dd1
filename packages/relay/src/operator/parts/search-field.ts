import { html } from 'hono/html';
import type { Html } from '../view.ts';

/** Finds events by either ID and by any whole value. */
export function searchField(value: string): Html {
  return html`<div><label for="search">Search events</label>
<input id="search" name="search" type="search" value="${value}" placeholder="email, code, or ID" autocomplete="off" maxlength="500"></div>`;
}
