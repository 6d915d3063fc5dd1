import { html } from 'hono/html';
import type { Html } from '../view.ts';

interface Table {
  /** Names the table for people who cannot see where it stands. */
  readonly name: string;
  /** Without a name: the column with the buttons. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Html | string | number)[])[];
  /** Shown in place of a table without rows. */
  readonly empty: Html | string;
}

/** Heading of the column with the buttons, for people who only hear it. */
const actions = html`<span class="hidden">Actions</span>`;

/** Scrolls sideways where it does not fit, by keyboard too. */
export function table({ name, columns, rows, empty }: Table): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
<table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column || actions}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}
</tbody>
</table>
</div>`;
}

/** A part that follows what happens in the sandbox while the page is open. */
export function live(id: string, content: Html | Html[]): Html {
  return html`<div id="${id}" data-live>${content}</div>`;
}
