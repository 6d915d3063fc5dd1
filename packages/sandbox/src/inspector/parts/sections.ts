import { html } from 'hono/html';
import type { Html } from '../view.ts';

interface Table {
  /** The table's name for screen readers. */
  readonly name: string;
  /** An empty name marks the column with the buttons. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Html | string | number)[])[];
  /** Shown instead of an empty table. */
  readonly empty: Html | string;
}

/** Screen-reader heading of the column with the buttons. */
const actions = html`<span class="hidden">Actions</span>`;

/** Scrolls sideways when it does not fit, also by keyboard. */
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

/** A part of the page that refreshes while the page is open. */
export function live(id: string, content: Html | Html[]): Html {
  return html`<div id="${id}" data-live>${content}</div>`;
}
