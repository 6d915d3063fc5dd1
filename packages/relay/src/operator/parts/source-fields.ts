import { html } from 'hono/html';
import type { Html } from '../view.ts';

export function sourceNameField(): Html {
  return html`<div><label for="name">Name</label>
<input id="name" name="name" required pattern="[a-z0-9][a-z0-9\\-]{0,62}" title="Up to 63 lower-case letters, digits and hyphens" placeholder="main" autocomplete="off"></div>`;
}

export function secretField(id: string, label: string): Html {
  return html`<div><label for="${id}">${label}</label>
<input id="${id}" name="secret" type="password" required autocomplete="off"></div>`;
}
