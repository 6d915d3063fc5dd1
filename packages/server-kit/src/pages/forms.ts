import { html, raw } from 'hono/html';
import type { Html, Product } from './layout.ts';

export interface ActionForm<Name extends string> {
  readonly action: Name;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly content: Html | Html[];
  readonly className?: string;
  /** For fields outside of the form. */
  readonly id?: string;
  /** A question to confirm before the action. Needs the script. */
  readonly confirm?: string;
  /** Resets the form after the action. */
  readonly clears?: boolean;
}

export interface ActionButton<Name extends string> {
  readonly action: Name;
  readonly label: string;
  /** What the button is about, for screen readers. */
  readonly of?: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Keeps the focus while the button moves. */
  readonly id?: string;
}

/**
 * The forms of a product's actions. With `sends`, the script sends them, and the page stays as it
 * is; otherwise the browser does.
 */
export function formsOf<Name extends string>({ base }: Pick<Product, 'base'>, sends = false) {
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

export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen?: string | undefined;
  /** Default: the name. */
  readonly id?: string;
}

export function select({ name, label, options, chosen, id = name }: Choice): Html {
  const choices = options.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? raw(' selected') : ''}>${text}</option>`,
  );
  return html`<div><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${choices}</select></div>`;
}

/** The filled-in fields, trimmed. Several values of a name, such as chosen IDs, have a space between them. */
export function fieldsOf(form: URLSearchParams): Readonly<Record<string, string>> {
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name).map((text) => text.trim());
    return [name, values.filter((text) => text !== '').join(' ')] as const;
  });
  return Object.fromEntries(fields.filter(([, text]) => text !== ''));
}
