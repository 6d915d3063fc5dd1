import { html, raw } from 'hono/html';
import type { Html, ServerProduct } from './layout.ts';

export interface ActionForm<Name extends string> {
  readonly action: Name;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly content: Html | Html[];
  readonly className?: string;
  /** Joins fields outside of the form to it. */
  readonly id?: string;
  /** A question to confirm before the action. Needs the script. */
  readonly confirm?: string;
  /** Resets the form after the action. */
  readonly clears?: boolean;
}

export interface ActionButton<Name extends string> {
  readonly action: Name;
  readonly label: string;
  /** The record of the button, for screen readers. */
  readonly of?: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Keeps the focus while the button moves. */
  readonly id?: string;
}

/**
 * The forms of a product's actions. With `sends`, the script sends them, and the page stays as it
 * is; otherwise the browser does.
 */
export function createActionForms<Name extends string>(
  { base }: Pick<ServerProduct, 'base'>,
  sends = false,
) {
  const mark = sends ? raw(' data-send') : '';

  /** Runs an action and returns to the current page. Also works without the script. */
  function actionForm(url: URL, form: ActionForm<Name>): Html {
    const { action, fields = {}, content, className = 'inline', id, confirm, clears } = form;
    const hidden = Object.entries({ ...fields, from: pathOf(url) }).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    );
    const more = html`${idOf(id)}${mark}${confirm ? html` data-confirm="${confirm}"` : ''}${clears ? raw(' data-clears') : ''}`;
    return html`<form${more} method="post" action="${base}/actions/${action}" class="${className}">
${hidden}${content}
</form>`;
  }

  /** One button for one action on one record. */
  function actionButton(url: URL, { action, label, of, fields, id }: ActionButton<Name>): Html {
    const name = of === undefined ? '' : html` aria-label="${label} ${of}"`;
    const content = html`<button class="small"${idOf(id)}${name}>${label}</button>`;
    return actionForm(url, { action, fields, content });
  }

  return { actionForm, actionButton };
}

function idOf(id: string | undefined) {
  return id === undefined ? '' : html` id="${id}"`;
}

/** The current page without the notice of the last action. */
function pathOf(url: URL): string {
  const query = new URLSearchParams(url.search);
  for (const name of ['done', 'count', 'more']) query.delete(name);
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}

export interface SelectField {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen?: string | undefined;
  /** Default: the name. */
  readonly id?: string;
}

export function selectField({ name, label, options, chosen, id = name }: SelectField): Html {
  const choices = options.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? raw(' selected') : ''}>${text}</option>`,
  );
  return html`<div><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${choices}</select></div>`;
}

/** The filled-in fields, trimmed. Several values of a name, such as chosen IDs, have a space between them. */
export function formValues(form: URLSearchParams): Readonly<Record<string, string>> {
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name).map((text) => text.trim());
    return [name, values.filter((text) => text !== '').join(' ')] as const;
  });
  return Object.fromEntries(fields.filter(([, text]) => text !== ''));
}

export interface TableContent {
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
export function htmlTable({ name, columns, rows, ids, empty }: TableContent): Html {
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

/** Which words are good, bad, or waiting. The word carries the meaning; the color only helps. */
type Tones = Readonly<Record<'good' | 'waiting' | 'bad', readonly string[]>>;

/** Makes a badge of a word in the tone that it has in this product. */
export function createBadge(tones: Tones): (word: string, label?: string) => Html {
  return (word, label = word.replaceAll('_', ' ')) => {
    const [tone = ''] = Object.entries(tones).find(([, words]) => words.includes(word)) ?? [];
    return html`<span class="badge ${tone}">${label}</span>`;
  };
}

/** The status of an HTTP response; null if there was none. */
export function statusBadge(status: number | null): Html {
  const tone = status !== null && status < 400 ? 'good' : 'bad';
  return html`<span class="badge ${tone}">${status ?? 'no response'}</span>`;
}

/** For example 2027-03-01 09:00:00, in UTC; a dash for none. */
export function formatMoment(at: Date | string | number | null): Html {
  if (at === null) return html`<span class="quiet">-</span>`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;
}

/** A list of names and values. */
export function factList(
  rows: readonly (readonly [name: string, value: Html | string])[],
  className = 'card',
): Html {
  return html`<dl class="${className}">${rows.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`,
  )}</dl>`;
}

/** A value with a button that copies it. Without scripts, one click selects the whole value. */
export function copyableValue(value: string, what: string): Html {
  return html`<span class="copyable"><code class="whole">${value}</code>
<button type="button" class="small" data-copy="${value}" aria-label="Copy ${what}">Copy</button></span>`;
}
