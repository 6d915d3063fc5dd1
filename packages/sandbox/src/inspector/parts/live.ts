import { html } from 'hono/html';
import type { Html } from '../view.ts';

/** A part that follows what happens in the sandbox while the page is open. */
export function live(id: string, content: Html | Html[]): Html {
  return html`<div id="${id}" data-live>${content}</div>`;
}
