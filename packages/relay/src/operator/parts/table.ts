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

const buttons = html`<span class="hidden">Actions</span>`;

/** Scrolls sideways when it does not fit, also by keyboard. */
export function table({ name, columns, rows, empty }: Table): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const head = columns.map((column) => html`<th scope="col">${column || buttons}</th>`);
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`);
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
<table><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table>
</div>`;
}
