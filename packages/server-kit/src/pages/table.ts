import { html } from 'hono/html';
import type { Html } from './layout.ts';

export interface Table {
  /** The table's name for screen readers. */
  readonly name: string;
  /** An empty name marks the column with the buttons. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Html | string | number)[])[];
  /** An ID for each row. A refreshed page finds its rows by them. */
  readonly ids?: readonly string[];
  /** Shown instead of an empty table. */
  readonly empty: Html | string;
}

const buttons = html`<span class="hidden">Actions</span>`;

/**
 * Scrolls sideways when it does not fit, also by keyboard. On a phone, each row is a card; without
 * the roles, Safari would no longer treat it as a table then.
 */
export function table({ name, columns, rows, ids, empty }: Table): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const head = columns.map(
    (column) => html`<th scope="col" role="columnheader">${column || buttons}</th>`,
  );
  const body = rows.map((cells, nth) => {
    const id = ids?.[nth] === undefined ? '' : html` id="${ids[nth]}"`;
    const labelled = cells.map(
      (cell, at) => html`<td role="cell" data-label="${columns[at]}">${cell}</td>`,
    );
    return html`<tr role="row"${id}>${labelled}</tr>\n`;
  });
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
<table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">
${body}</tbody></table>
</div>`;
}
