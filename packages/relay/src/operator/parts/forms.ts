import { html, raw } from 'hono/html';
import type { ActionName } from '../actions.ts';
import type { Html } from '../view.ts';

interface ActionForm {
  readonly action: ActionName;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly content: Html;
  readonly className?: string;
  /** For fields outside of the form. */
  readonly id?: string;
}

/** Runs an action and returns to the current page. */
export function actionForm(
  url: URL,
  { action, fields = {}, content, className = 'inline', id }: ActionForm,
): Html {
  const hidden = Object.entries({ ...fields, from: pathOf(url) }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const name = id === undefined ? '' : html` id="${id}"`;
  return html`<form${name} method="post" action="/operator/actions/${action}" class="${className}">
${hidden}${content}
</form>`;
}

interface ActionButton {
  readonly action: ActionName;
  readonly label: string;
  /** What the button is about, for screen readers. */
  readonly of?: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** One button for one action on one record. */
export function actionButton(url: URL, { action, label, of, fields }: ActionButton): Html {
  const name = of === undefined ? '' : html` aria-label="${label} ${of}"`;
  return actionForm(url, {
    action,
    fields,
    content: html`<button class="small"${name}>${label}</button>`,
  });
}

interface Disclosure {
  readonly label: string;
  readonly of: string;
  readonly content: Html;
  readonly isOpen?: boolean;
}

/** Asks before the action: the form appears once it is opened. */
export function disclosure({ label, of, content, isOpen = false }: Disclosure): Html {
  return html`<details class="ask" ${isOpen ? raw('open') : ''}><summary aria-label="${label} ${of}">${label}</summary>
<div>${content}</div>
</details>`;
}

interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen?: string | undefined;
}

export function select({ name, label, options, chosen }: Choice): Html {
  const choices = options.map(
    ([value, text]) =>
      html`<option value="${value}" ${value === chosen ? raw('selected') : ''}>${text}</option>`,
  );
  return html`<div><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${choices}</select></div>`;
}

interface Suggested {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder: string;
  readonly suggestions: readonly string[];
}

/** A text field that suggests values; any other value is allowed. */
export function suggested({ name, label, value, placeholder, suggestions }: Suggested): Html {
  const options = suggestions.map((text) => html`<option value="${text}"></option>`);
  return html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value ?? ''}" placeholder="${placeholder}" list="${name}-suggestions" autocomplete="off">
<datalist id="${name}-suggestions">${options}</datalist></div>`;
}

export function sourceNameField(): Html {
  return html`<div><label for="name">Name</label>
<input id="name" name="name" required pattern="[a-z0-9][a-z0-9\\-]{0,62}" title="Up to 63 lower-case letters, digits and hyphens" placeholder="main" autocomplete="off"></div>`;
}

export function secretField(id: string, label: string): Html {
  return html`<div><label for="${id}">${label}</label>
<input id="${id}" name="secret" type="password" required autocomplete="off"></div>`;
}

/** The current page without the notice of the last action. */
function pathOf(url: URL): string {
  const query = new URLSearchParams(url.search);
  for (const name of ['done', 'count', 'more']) query.delete(name);
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}
